"""Paper problems for exams: students do not get them, so that an exam is not practice with other numbers.

Each module has the name of a chapter and, as ``PROBLEMS``, what `kcourse.paper_problems` describes.
"""
