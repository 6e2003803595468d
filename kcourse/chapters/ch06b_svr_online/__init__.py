"""Chapter 6, second part: its interactive figures (`figures`)."""
