"""What comes in: which file is whose, and which of several counts."""
