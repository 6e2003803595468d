"""`make lint` names the words that the texts do not use, in the files that are edited."""

from __future__ import annotations

from tests.rows import each
from tools import words


@each(
    ("name", "text", "lines"),
    [
        ("a.md", "A mistake.\nWe mend it.\n", [2]),
        ("a.md", "`mend` and $\\mathrm{mend}$ are code.\n", []),
        ("a.md", "Who sees it knows. Who sees it? Ask anyone who does.\n", [1]),
        ("a.md", "It is no kernel, but there is no limit and it is no longer slow.\n", [1]),
        ("a.md", "He said “shall”. <!-- words: a quotation -->\nIn other words: it shall.\n", [2]),
        ("a.md", "Chosen by\nlot.\n", [1]),
        ("a.js", "`${n} mend ${m}`", [1]),
        ("a.py", 's = "a b\\nc\\n\\nask whoever comes"', [1]),
        ("a.py", 'mend = 1  # mend\nraise ValueError("you should mend it")\n', [2]),
        ("a.py", '# %% [markdown] key="a"\n# One line.\n# Whoever reads.\n\n# %%\nx = 1\n', [3]),
    ],
)
def test_a_word_is_found_in_texts_and_not_in_code(name, text, lines, tmp_path):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert [line for line, _, _ in words.found(path)] == lines
