"""Read a sheet that a student has filled in, tell it from the course's own files, and mark it in a terminal."""
