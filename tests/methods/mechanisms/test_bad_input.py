"""One contract for every card that promises differential privacy: bad parameters, odd cells, no rows, no budget.

A parameter out of range is refused by name. A cell never is: what is odd counts by a fixed rule, and neither the price
nor whether there is an answer depends on it. Refusals are errors of the package and show no cell.

Covers methods/mechanisms/*, methods/statistics/*, noise/fields.
"""

import math

import numpy as np
import pytest
from tests.methods.statistics.answers import data_for

from tacit.accounting.account import account
from tacit.cards.private import PrivateMethod
from tacit.catalogue import methods
from tacit.errors import BadData, BadParameter, CannotGuarantee
from tacit.randomness.stream import RandomBits

CARDS = {name: card for name, card in methods().items() if isinstance(card, PrivateMethod)}
WHOLE = {"mechanisms/geometric", "mechanisms/discrete-gaussian"}
TEXTS = {"statistics/mode", "statistics/keywords", "statistics/itemsets", "statistics/partition-selection"}
TEXTS |= {"synthesize/independent"}
CELLS = sorted(set(CARDS) - WHOLE - TEXTS - {"statistics/count"})
SECRET = "surely a secret"
ALL = sorted(CARDS)


def given(name):
    if not name.startswith("mechanisms/"):
        return data_for(name)
    values = np.array([1.5]) if name == "mechanisms/bounded-laplace" else np.array([3.0, 1.0, 40.0, 2.0])
    return values.astype(np.int64) if name in WHOLE else values


def values_of(name):
    return CARDS[name].example.model_dump(exclude={"rho"})


def having(*fields):
    return [name for name in ALL if set(fields) <= set(CARDS[name].params.model_fields)]


def run(name, data, **changes):
    card = CARDS[name]
    params = card.params.parse(name, {**card.example.model_dump(), **changes})
    return card.run(data, params, RandomBits.from_seed(1))


def with_cell(data, value):
    """The data with its first row, of one cell or several, made of this value."""
    if isinstance(data, list):
        return [with_cell(column, value) for column in data]
    changed = np.array(data, dtype=np.float64)
    changed[0] = value
    return changed


def test_all_are_there():
    assert {name.split("/")[0] for name in ALL} == {"mechanisms", "statistics", "synthesize"}
    assert {name for name in methods() if name.startswith(("mechanisms/", "statistics/", "synthesize/"))} == set(ALL)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("epsilon", [0, -1, math.inf, -math.inf, math.nan, None, "much", [1.0], 1e7])
def test_an_epsilon_that_promises_nothing_is_refused(name, epsilon):
    with pytest.raises(BadParameter, match="epsilon"):
        CARDS[name].params.parse(name, {**values_of(name), "epsilon": epsilon})


@pytest.mark.parametrize("name", ALL)
def test_epsilon_has_no_default(name):
    without = {field: value for field, value in values_of(name).items() if field != "epsilon"}
    with pytest.raises(BadParameter, match="epsilon"):
        CARDS[name].params.parse(name, without)


@pytest.mark.parametrize("name", having("delta"))
@pytest.mark.parametrize("delta", [-1e-9, 1, 1.5, math.inf, math.nan, "little"])
def test_a_delta_outside_0_to_1_is_refused(name, delta):
    with pytest.raises(BadParameter, match="delta"):
        CARDS[name].params.parse(name, {**values_of(name), "epsilon": 1.0, "delta": delta})


@pytest.mark.parametrize("name", having("sensitivity"))
@pytest.mark.parametrize("sensitivity", [0, -1, math.inf, math.nan, None])
def test_a_sensitivity_of_0_or_none_is_refused(name, sensitivity):
    with pytest.raises(BadParameter, match="sensitivity"):
        CARDS[name].params.parse(name, {**CARDS[name].example.model_dump(), "sensitivity": sensitivity})


@pytest.mark.parametrize("name", sorted(set(having("sensitivity")) - WHOLE))
def test_a_sensitivity_that_is_absent_is_refused(name):
    """A count has sensitivity 1 unless told; any other answer has none that could be guessed."""
    without = {field: value for field, value in values_of(name).items() if field != "sensitivity"}
    with pytest.raises(BadParameter, match="sensitivity"):
        CARDS[name].params.parse(name, without)


@pytest.mark.parametrize("name", having("lower", "upper"))
def test_bounds_that_are_reversed_equal_missing_or_not_finite_are_refused(name):
    values = CARDS[name].example.model_dump()
    if values["lower"] is None:
        values |= {"lower": 0, "upper": 10}
    low, high = values["lower"], values["upper"]
    wrong = [{"lower": high, "upper": low}, {"lower": low, "upper": low}]
    wrong += [{"lower": (math.nan,) * len(low) if isinstance(low, tuple) else math.nan}]
    wrong += [{"upper": (math.inf,) * len(high) if isinstance(high, tuple) else math.inf}]
    for change in wrong:
        with pytest.raises(BadParameter, match=r"lower|upper|bound"):
            CARDS[name].params.parse(name, {**values, **change})
    if name != "mechanisms/geometric":
        for bound in ("lower", "upper"):
            with pytest.raises(BadParameter, match=bound):
                CARDS[name].params.parse(name, {key: value for key, value in values.items() if key != bound})


@pytest.mark.parametrize("name", ALL)
def test_an_unknown_parameter_is_refused(name):
    with pytest.raises(BadParameter, match="epsillon"):
        CARDS[name].params.parse(name, {**CARDS[name].example.model_dump(), "epsillon": 1.0})


@pytest.mark.slow
@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324])
def test_no_number_in_the_data_is_an_error_or_changes_the_price(name, value):
    plain = run(name, given(name))
    odd = run(name, with_cell(given(name), value))
    assert odd.event == plain.event


@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize(("odd", "same_as"), [(math.nan, 0.0), (math.inf, 1e300), (-math.inf, -1e300)])
def test_what_is_no_number_counts_by_the_documented_rule(name, odd, same_as):
    """NaN counts as 0 and infinities as the ends of the range, both before clamping; the same seed shows it."""
    first, second = (run(name, with_cell(given(name), value)) for value in (odd, same_as))
    assert repr(first) == repr(second)


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_no_text_in_the_data_is_an_error_or_changes_the_price(name):
    plain = given(name)
    for odd in (None, math.nan, 7, "", SECRET, "\N{SNOWMAN}\x00"):
        columns = [np.array(column, dtype=object) for column in (plain if isinstance(plain, list) else [plain])]
        for column in columns:
            column[0] = odd
        changed = columns if isinstance(plain, list) else columns[0]
        assert run(name, changed).event == run(name, plain).event


@pytest.mark.parametrize("name", ALL)
def test_data_of_another_kind_is_refused_by_its_type_and_no_cell_is_shown(name):
    wrong = [np.array([SECRET, SECRET]), np.array([[[SECRET]]]), SECRET]
    if name in TEXTS | {"statistics/histogram"}:
        wrong = [np.array([[SECRET, SECRET]] * 3), np.array([[[SECRET]]])]
    for data in wrong:
        with pytest.raises(BadData) as refused:
            run(name, data)
        assert SECRET not in str(refused.value)


@pytest.mark.parametrize("name", ALL)
def test_no_rows_are_answered_where_their_number_is_secret_and_else_refused(name):
    """A mechanism needs an answer to add noise to; a statistic answers unless the number of rows is public."""
    data = given(name)
    empty = [column[:0] for column in data] if isinstance(data, list) else np.asarray(data)[:0]
    if name.startswith("mechanisms/"):
        with pytest.raises(BadData):
            run(name, empty)
        return
    assert run(name, empty).event == run(name, data).event
    if name in {f"statistics/{short}" for short in ("mean", "variance", "covariance", "linear-regression")}:
        with pytest.raises(BadData, match="no rows"):
            run(name, empty, neighbours="replace")
    elif "neighbours" in CARDS[name].params.model_fields:
        assert run(name, empty, neighbours="replace").event is not None


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("epsilon", [1e-300, 1e-20, 1e-9, 1e-4])
def test_next_to_no_budget_is_refused_in_words_or_kept(name, epsilon):
    """Where noise can't be drawn that wide the parameter is refused; the data have no say in it."""
    if name == "mechanisms/discrete-gaussian":
        changes = {"rho": None, "epsilon": epsilon, "delta": 1e-6}
    else:
        changes = {"epsilon": epsilon}
    answer, refused = outcome(name, given(name), changes)
    if refused is None:
        delta = changes.get("delta", getattr(CARDS[name].example, "delta", 0.0))
        spent = account(answer.event, delta, ("sequential",) if delta == 0 else None).epsilon
        assert spent <= epsilon * (1 + 1e-6) or spent <= 1e-9
        return
    assert len(str(refused)) > 20
    if name in CELLS:
        assert str(outcome(name, with_cell(given(name), 0.0), changes)[1]) == str(refused)


def outcome(name, data, changes):
    """The answer, or why there is none."""
    try:
        return run(name, data, **changes), None
    except (BadParameter, CannotGuarantee) as refused:
        return None, refused
