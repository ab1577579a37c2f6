"""How the method of a release was chosen, and what would bring a high loss down: as lines, and in the report."""

from tacit.evidence.numerals import count, listed, many, measure, seconds, share
from tacit.evidence.reading import plain
from tacit.evidence.summary import folded, line
from tacit.release.tables import Advice, AdvisedChange, Competition, Entrant, TableRelease
from tacit.spelling import noun

MOST_NAMED = 3
UNIFORM = "If analysts need uniform labels, write `method: {}` into the plan."
UNFINISHED = " Its search was stopped early here; with more time it may lose far less."


def choice_lines(release: TableRelease) -> list[str]:
    """What each method that competed loses and risks; nothing where the plan names its method."""
    competition = release.body.competition
    if competition is None:
        return []
    tried = [
        line(f"  {one.method}", _part(one.loss), _part(one.average_risk), _fate(one)) for one in ranked(competition)
    ]
    hints = [hint for hint in (other_choice(competition), timed(competition)) if hint]
    told = [text for hint in hints for text in folded(f"  {hint}")]
    return [line("methods that were tried", "loss", "average risk"), *tried, *told]


def ranked(competition: Competition) -> list[Entrant]:
    """The winner, then the others that have a release as they ran, then the rest."""
    return sorted(competition.entrants, key=lambda one: (not one.won, one.failed is not None))


def other_choice(competition: Competition) -> str:
    """How to choose uniform labels instead, where there are some that lost."""
    uniform = [one for one in competition.entrants if one.is_uniform and not one.won]
    if not uniform:
        return ""
    return UNIFORM.format(uniform[0].method) + (UNFINISHED if uniform[0].cut_off else "")


def timed(competition: Competition) -> str:
    """That the clock took part in the choice, and how to get rid of that; nothing where it did not."""
    if not competition.is_timed:
        return ""
    late = [one.method for one in competition.entrants if not one.tried]
    cut = [one.method for one in competition.entrants if one.cut_off]
    what = [
        *([f"{listed(late)} {noun(len(late), 'was', 'were')} not tried"] if late else []),
        *([f"{listed(cut)} {noun(len(cut), 'was', 'were')} stopped early"] if cut else []),
    ]
    return (
        f"The time limit took part in this choice: {' and '.join(what)}. Another run of the same plan may give another "
        "release, and two releases of the same people can be compared with each other. To repeat a release, name its "
        f"method (`method: {competition.winner.method}`) and give it the time that it needs."
    )


def unproved_line(release: TableRelease) -> list[str]:
    """That the search ended before it could prove its result best; nothing where it did not."""
    search = release.body.search
    if search.optimal is not False:
        return []
    bound = "" if search.lower_bound is None else f"; no release of this kind has {search.objective} below {{}}"
    told = bound.format(measure(search.lower_bound)) if search.lower_bound is not None else ""
    return folded(f"  Not proved best: the search ended before it had a proof{told}.")


def advice_lines(release: TableRelease) -> list[str]:
    """What would bring the loss down; nothing where it is not high."""
    advice = release.body.advice
    if advice is None:
        return []
    return [
        "",
        *folded(lead(advice)),
        *([line("change of the plan", "loss now", "then")] if advice.changes else []),
        *(line(f"  {change_words(change)}", share(change.now), share(change.loss)) for change in advice.changes),
        *folded("`tacit compare` with this plan tries all methods and draws risk against loss."),
    ]


def lead(advice: Advice) -> str:
    """What is wrong, which columns cost most, and how changes were tried."""
    names = listed([f"{one.name} ({share(one.loss)})" for one in advice.columns])
    told = f"A release with a loss above {share(advice.threshold)} is of little use. Most is lost in {names}."
    if not advice.changes:
        return f"{told} No small change of the plan that was tried brings it down."
    return (
        f"{told} Each line below is a change of the plan: what the columns that it leaves alone lose now, and what "
        f"they would lose then, as {advice.method} decides, which loses {share(advice.loss)} now. To leave a column "
        "out, give it `role: identifier`; to publish it coarser, give it the `minimum` level that stands beside it."
    )


def change_words(change: AdvisedChange) -> str:
    """The change, as it is done in the plan."""
    if change.coarser is not None:
        own = "" if change.own is None else f", then loses {share(change.own)}"
        return f"{change.coarser} coarser ({change.what}{own})"
    if not change.left_out:
        return change.what
    if len(change.left_out) <= MOST_NAMED:
        return f"{listed(list(change.left_out))} left out"
    return f"the {count(len(change.left_out))} costliest columns left out"


def tried_rows(competition: Competition) -> list[tuple[str, str, str, str, str, str, str]]:
    """A row for each method: name, loss, average and highest risk, suppressed rows, time, what became of it."""
    return [
        (
            one.method,
            _part(one.loss),
            _part(one.average_risk),
            _part(one.highest_risk),
            "–" if one.suppressed_rows is None else many(one.suppressed_rows, "row", "rows"),
            seconds(one.seconds),
            _told(one),
        )
        for one in ranked(competition)
    ]


def _told(one: Entrant) -> str:
    if one.failed is not None:
        return f"{'no release' if one.tried else 'not tried'}: {one.failed}"
    proved = {True: "proved best of its kind", False: "not proved best of its kind", None: ""}[one.optimal]
    cut_off = "stopped early" if one.cut_off else ""
    return ", ".join(words for words in ("chosen" if one.won else "", cut_off, proved) if words)


def _fate(one: Entrant) -> str:
    if one.failed is not None:
        return "no release" if one.tried else "not tried"
    if one.won:
        return "chosen"
    return "cut off" if one.cut_off else "unproved" if one.optimal is False else ""


def _part(value: float | None) -> str:
    return "–" if value is None else plain(share(value))
