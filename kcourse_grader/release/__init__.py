"""What a class is given: two archives, and the tables by which the students' checks judge."""
