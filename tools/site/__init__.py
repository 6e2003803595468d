"""The published site: chapters with interactive figures, sheets, slides, guides and the reference (``make site``).

`build` writes pages into ``.build/site/pages``, and Sphinx renders them (``docs/conf.py``; a warning is an error). The
stored notebooks are shown without running them: folded code stays folded, and each figure becomes a file with its alt
text (`chapters`). Only for interactive figures does each chapter run once (`frames`), which draws at most 80 pictures
of each figure, at combinations of some stops of its controls and always at the states that it names. On the page,
``kcourse/lab/explorer.js`` shows these pictures with the same controls as in JupyterLab. A control whose label ends in
"on this machine" is left out, because it would show the builder's machine. ``.build`` keeps the pictures until the
chapter changes.

`guides` makes the lists (chapters, slides, plans) that replace marks like ``<!-- made: chapters -->`` in ``docs/``, and
the reference (`docstrings`). Links in ``docs/`` are those of the repository and are converted. `book` prints all
chapters as one PDF. ``tests/site`` opens the site from a folder, without a network, and tests links, keyboard, search,
a phone's width, and accessibility with axe-core. Its list ``UPSTREAM`` is for faults of other projects.
"""
