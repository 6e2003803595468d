"""Chapter 10: its marks and hints (`marks` lists the exercises) and its interactive figures (`figures`)."""
