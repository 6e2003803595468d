"""Support vector machines: classifier and regression, the textbook's way to train them, and on-line versions.

`SVC` and `SVR` solve their quadratic programs exactly; `smo` is the algorithm that a lecture shows, `smo_pair` its
single step and `svm_qp` the program itself, left to a general solver. `Pegasos` and `BudgetPerceptron` see one point at
a time.
"""

from kcourse.svm.machines import SVC, SVR
from kcourse.svm.online import BudgetPerceptron, Pegasos, pegasos_steps
from kcourse.svm.smo import smo, smo_pair, svm_qp

__all__ = ["BudgetPerceptron", "Pegasos", "SVC", "SVR", "pegasos_steps", "smo", "smo_pair", "svm_qp"]
