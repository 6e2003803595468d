"""What leaves the house: the gradebook, tables for platforms, the report and a page for each student."""
