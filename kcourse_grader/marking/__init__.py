"""From values to grades: what an answer is worth, decided outside the sandbox."""
