"""The release: an archive for students, one for instructors, and the tables for the students' checks."""
