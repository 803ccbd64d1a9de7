"""The arithmetic of LLM inference: memory, roofline, decode, speculation. NumPy only.

>>> from calc import evaluate, scenario
>>> round(evaluate(scenario(batch=1)).tokens_per_s, 1)
218.9
"""

from calc.config_reader import ConfigError as ConfigError
from calc.evaluate import evaluate as evaluate
from calc.hf_config import read_config as read_config
from calc.inputs import scenario as scenario
from calc.levers import LEVERS as LEVERS
from calc.levers import levers as levers
from calc.presets import ACCEPTANCES as ACCEPTANCES
from calc.presets import ASSUMPTIONS as ASSUMPTIONS
from calc.presets import GPUS as GPUS
from calc.presets import KV_FORMATS as KV_FORMATS
from calc.presets import MODELS as MODELS
from calc.presets import WEIGHT_FORMATS as WEIGHT_FORMATS
from calc.report import Report as Report
from calc.specs import AcceptedTokens as AcceptedTokens
from calc.specs import Assumptions as Assumptions
from calc.specs import Gpu as Gpu
from calc.specs import KvFormat as KvFormat
from calc.specs import Model as Model
from calc.specs import Precision as Precision
from calc.specs import Scenario as Scenario
from calc.specs import Speculation as Speculation
from calc.specs import WeightFormat as WeightFormat
from calc.specs import Workload as Workload
