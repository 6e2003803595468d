"""The intake: which file is whose, which sheet it answers, and what in it is code."""
