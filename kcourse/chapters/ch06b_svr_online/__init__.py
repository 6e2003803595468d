"""Chapter 6, second part: its marks and hints (`marks` lists the exercises) and its interactive figures (`figures`)."""
