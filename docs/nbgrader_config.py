"""nbgrader's settings for the sheets: copy this file into the folder of your nbgrader course."""

c = get_config()  # noqa: F821, nbgrader gives it

# what students get is then, to the letter, what exercises/ holds
c.ClearSolutions.code_stub = {"python": "raise NotImplementedError"}
# a check that was deleted is put back and counts
c.OverwriteCells.add_missing_cells = True
