"""Chapter 7b: its marks and hints (`marks` lists the exercises) and its interactive figures (`figures`)."""
