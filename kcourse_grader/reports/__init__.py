"""What goes out: the gradebook, tables for platforms, the report and a page for each student."""
