"""A sheet that somebody has filled in: its code, whether it is the course's own, and its marks in a terminal."""
