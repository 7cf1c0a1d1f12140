from manyboost import codewords as codewords
from manyboost import datasets as datasets
from manyboost import game as game
from manyboost._certify import Certificate as Certificate
from manyboost._certify import certify as certify
from manyboost._core import WorkerError as WorkerError
from manyboost._core import __version__ as __version__
from manyboost._drop_in import AdaBoostClassifier as AdaBoostClassifier
from manyboost._estimators import BoostClassifier as BoostClassifier
from manyboost._estimators import MCBoostClassifier as MCBoostClassifier
from manyboost._estimators import MultiLabelBoostClassifier as MultiLabelBoostClassifier
from manyboost._files import load as load

__all__: list[str]
