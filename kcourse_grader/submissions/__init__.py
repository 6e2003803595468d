"""Submissions: which file belongs to which student, and which of several attempts counts.

`naming` reads the student from the part of a path that the platform wrote; if in doubt, nothing is merged. `inbox`
opens folders and archives and chooses the attempt. In a clone of the course, a notebook is an answer if its code
differs from the course's own (`kcourse.sheets.course_files`); its place only decides between several answers.
Code here reads untrusted files outside the sandbox, so it must take time linear in their size: regular expressions
do not backtrack (``*+``), walks have limits, and libraries get inputs of limited size.
"""
