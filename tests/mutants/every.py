"""All mutants in one list, in the order they are made."""

from tests.mutants import Mutant
from tests.mutants.comparing import COMPARING
from tests.mutants.ledger import LEDGER_MUTANTS
from tests.mutants.replay import REPLAY
from tests.mutants.reports import REPORTS
from tests.mutants.skills import SKILL_MUTANTS
from tests.mutants.window_drop import WINDOW_DROP
from tests.mutants.window_record import WINDOW_RECORD
from tests.mutants.window_turns import WINDOW_TURNS

MUTANTS: tuple[Mutant, ...] = (
    *WINDOW_TURNS,
    *WINDOW_DROP,
    *WINDOW_RECORD,
    *REPLAY,
    *COMPARING,
    *LEDGER_MUTANTS,
    *SKILL_MUTANTS,
    *REPORTS,
)
