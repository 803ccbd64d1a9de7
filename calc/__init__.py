"""The arithmetic of LLM inference: memory, roofline, decode, speculation. NumPy only.

>>> from calc import evaluate, scenario
>>> round(evaluate(scenario(batch=1)).tokens_per_s, 1)
218.9
"""

from calc.evaluate import evaluate as evaluate
from calc.hf_config.error import ConfigError as ConfigError
from calc.hf_config.read import read_config as read_config
from calc.inputs.table import INPUTS as INPUTS
from calc.inputs.table import Inputs as Inputs
from calc.inputs.table import scenario as scenario
from calc.presets.acceptances import ACCEPTANCES as ACCEPTANCES
from calc.presets.assumptions import ASSUMPTIONS as ASSUMPTIONS
from calc.presets.formats import KV_FORMATS as KV_FORMATS
from calc.presets.formats import WEIGHT_FORMATS as WEIGHT_FORMATS
from calc.presets.hardware import GPUS as GPUS
from calc.presets.models import MODELS as MODELS
from calc.report import Report as Report
from calc.scenario import AcceptedTokens as AcceptedTokens
from calc.scenario import Assumptions as Assumptions
from calc.scenario import Gpu as Gpu
from calc.scenario import KvFormat as KvFormat
from calc.scenario import LayerKind as LayerKind
from calc.scenario import Model as Model
from calc.scenario import Parallelism as Parallelism
from calc.scenario import Precision as Precision
from calc.scenario import Scenario as Scenario
from calc.scenario import Speculation as Speculation
from calc.scenario import WeightFormat as WeightFormat
from calc.scenario import Workload as Workload
from calc.studies.fit import Fit as Fit
from calc.studies.fit import fit as fit
from calc.studies.levers import LEVERS as LEVERS
from calc.studies.levers import levers as levers
from calc.studies.routing import Routing as Routing
from calc.studies.routing import routing as routing
