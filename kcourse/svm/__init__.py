"""Support vector machines: classification and regression, the textbook's training algorithm, and online versions.

`SVC` and `SVR` solve their quadratic programs exactly. `smo` is the textbook's algorithm, `smo_pair` one of its steps,
and `svm_qp` gives the quadratic program to a general solver. `Pegasos` and `BudgetPerceptron` learn from one point at
a time.
"""

from kcourse.svm.machines import SVC, SVR
from kcourse.svm.online import BudgetPerceptron, Pegasos, pegasos_steps
from kcourse.svm.smo import smo, smo_pair, svm_qp

__all__ = ["BudgetPerceptron", "Pegasos", "SVC", "SVR", "pegasos_steps", "smo", "smo_pair", "svm_qp"]
