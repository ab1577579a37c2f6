"""The people of a republication and the rows that are published of them: read, laid out, written, read back."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import IntArray
from tacit.data.dataset import Dataset
from tacit.data.sources.arrow import from_numbers, from_texts
from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest, encode, tally_from
from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED
from tacit.data.tables.published import PublishedTable, publish
from tacit.data.tables.remembered_release import RememberedRelease
from tacit.data.tables.republication import NextRelease, RepublishedPeople
from tacit.data.tables.table import Table
from tacit.engines.engine import Engine, Target
from tacit.errors import BadData, TacitError
from tacit.runs.republication.history import History
from tacit.runs.republication.labels import ClassLabels, label_classes, recoding_of
from tacit.runs.tables.count import build_table, count
from tacit.runs.tables.read_back import ReadBack, aligned
from tacit.runs.tables.recode import written_source
from tacit.spelling import many
from tacit.spreadsheet import guarded
from tacit.verification.case import Case

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class CurrentPeople:
    """The people of today: the table as counted, everybody in it with their combinations, and the history."""

    table: Table
    people: RepublishedPeople
    combination: IntArray
    history: History


def read_people(dataset: Dataset, engine: Engine, history: History) -> CurrentPeople:
    """The people of the dataset, one row each."""
    assert dataset.unit is not None
    table = build_table(dataset, count(dataset, engine))
    names, (sensitive,) = table.tally.columns, dataset.named("sensitive")
    cells = engine.cells(dataset.source, (dataset.unit, *names, sensitive))
    _require_one_row(cells.column(dataset.unit), dataset.unit)
    coded = [encode(cells.column(name)) for name in names]
    keys = pack([one.codes for one in coded], [len(one.values) for one in coded], cells.num_rows)
    secret = encode(cells.column(sensitive))
    if SUPPRESSED in secret.values:
        raise BadData(f"column {sensitive!r} holds the value '*', which stands for suppression; rename it")
    known = history.with_values(secret.values)
    place = {value: code for code, value in enumerate(known.values)}
    people = RepublishedPeople(
        names=known.named(cells.column(dataset.unit).to_pylist()),
        value=np.array([place[value] for value in secret.values], dtype=np.int64)[secret.codes],
        leaves=np.array(
            [h.place(one.values)[one.codes] for h, one in zip(table.hierarchies, coded, strict=True)], dtype=np.int64
        ),
        hierarchies=table.hierarchies,
        weights=table.weights,
    )
    return CurrentPeople(table, people, group_by(keys.key, keys.span).group, known)


def _require_one_row(unit: "pa.ChunkedArray", name: str) -> None:
    """Everybody has a name and one row."""
    import pyarrow.compute as pc

    nobody = pc.sum(pc.equal(unit, MISSING)).as_py()
    if nobody:
        raise BadData(
            f"{many(nobody, 'row names', 'rows name')} nobody in {name!r}; republication follows people, "
            "so each row needs its person"
        )
    people = pc.count_distinct(unit).as_py()
    if people < len(unit):
        raise BadData(
            f"{len(unit):,} rows belong to {many(people, 'person', 'people')} by {name!r}; republication needs one "
            "row per person: keep one row of each, or merge them into one"
        )


@dataclass(frozen=True, eq=False)
class RepublishedRows:
    """What is to be published: classes with their labels, and a row for each value of a class."""

    made: NextRelease
    labels: tuple[ClassLabels, ...]
    names: tuple[str, ...]
    values: tuple[str, ...]
    published: PublishedTable

    def table(self, guard: bool = False) -> "pa.Table":
        """All columns as text, classes numbered from 1, rows in the order of class and value."""
        import pyarrow as pa

        class_, value = self.made.published()
        columns = [_texts([str(number + 1) for number in range(self.made.classes)], class_, False)]
        columns += [_texts(one.texts, one.codes[class_], guard) for one in self.labels]
        order = np.lexsort((np.array(_ranks(self.values))[value], class_))
        columns.append(_texts(self.values, value, guard))
        return pa.Table.from_arrays([column.take(from_numbers(order)) for column in columns], names=list(self.names))


def _ranks(values: tuple[str, ...]) -> IntArray:
    """The place of each value in alphabetical order; the order of the history would show which value came first."""
    return np.argsort(np.array(sorted(range(len(values)), key=values.__getitem__), dtype=np.int64))


def _texts(texts: "list[str] | tuple[str, ...]", codes: IntArray, guard: bool) -> "pa.Array":
    import pyarrow as pa

    shown = from_texts([guarded(text) if guard else text for text in texts])
    return pa.DictionaryArray.from_arrays(from_numbers(codes.astype(np.int32)), shown).cast(pa.large_string())


def decided_rows(today: CurrentPeople, made: NextRelease, class_column: str) -> RepublishedRows:
    """The rows of a release that was decided."""
    labels = label_classes(today.people, made, today.table.least)
    recoding = recoding_of(today.table, today.combination, made.class_, labels)
    names = (class_column, *today.table.tally.columns, *today.table.tally.sensitive)
    return RepublishedRows(made, labels, names, today.history.values, publish(today.table, recoding))


def write_rows(engine: Engine, rows: RepublishedRows, target: Target) -> None:
    """The rows in the target's file, whose columns are those of the rows in any order."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = rows.table()
    empty = [pc.if_else(pc.equal(column, MISSING), pa.scalar(None, column.type), column) for column in table.columns]
    source = Source("frame", frame=pa.Table.from_arrays(empty, names=table.column_names))
    engine.write(source, target)


@dataclass(frozen=True, eq=False)
class RepublicationReadBack:
    """A release as it was read: its classes, and its distinct rows with the number of each last."""

    released: ReadBack
    distinct: "pa.Table"


def read_classes(engine: Engine, source: Source, reading: TallyRequest, today: Table) -> RepublicationReadBack:
    """The release in `source`; the first column that is read numbers the classes, which may have labels alike."""
    distinct = engine.tally(source, reading.columns)
    tally = tally_from(distinct, reading)
    original = today.tally.sensitive
    sensitive = {name: aligned(part, original[name]) for name, part in tally.sensitive.items()}
    plain = replace(
        tally, columns=tally.columns[1:], values=tally.values[1:], codes=tally.codes[1:], sensitive=sensitive
    )
    return RepublicationReadBack(ReadBack(plain, 0), distinct)


def case_of_release(back: RepublicationReadBack, names: tuple[str, ...]) -> Case:
    """What a second opinion is asked on: the rows as they were read; the number of a class is one of its labels."""
    return Case(back.distinct, TallyRequest(names[:-1], names[-1:]), back.released.tally.sensitive)


def read_release(engine: Engine, target: Target, today: CurrentPeople, rows: RepublishedRows) -> RepublicationReadBack:
    """The release as it reads in the file, found to be what was decided."""
    reading = TallyRequest(rows.names[:-1], rows.names[-1:])
    back = read_classes(engine, written_source(target), reading, today.table)
    wanted = rows.table(target.guard)
    order = [(rows.names[0], "ascending"), (rows.names[-1], "ascending")]
    found = back.distinct.select(list(rows.names)).cast(wanted.schema).sort_by(order)
    counts = back.distinct.column(back.distinct.num_columns - 1).to_pylist()
    if set(counts) != {1} or not found.equals(wanted.sort_by(order)):
        raise TacitError(
            "the written release is not what was decided; nothing is published, and the history is unchanged"
        )
    return back


def remembered_release(back: RepublicationReadBack, today: CurrentPeople, rows: RepublishedRows) -> RememberedRelease:
    """The release as the history remembers it: the rows that were read back, and who stands in which class."""
    class_, value = encode(back.distinct.column(rows.names[0])), encode(back.distinct.column(rows.names[-1]))
    code = {guarded(text): code for code, text in enumerate(rows.values)}
    code |= {text: code for code, text in enumerate(rows.values)}
    return RememberedRelease(
        class_=np.array([int(text) for text in class_.values], dtype=np.int64)[class_.codes],
        value=np.array([code[text] for text in value.values], dtype=np.int64)[value.codes],
        person=rows.made.after.find(today.people),
        home=rows.made.class_ + 1,
    )


def counterfeit_lines(rows: RepublishedRows) -> str:
    """The classes with counterfeits and how many each has, as CSV."""
    counterfeits = rows.made.counterfeits
    classes = np.flatnonzero(counterfeits)
    lines = [f"{class_ + 1},{number}" for class_, number in zip(classes, counterfeits[classes], strict=True)]
    head = rows.names[0] if rows.names[0].isidentifier() else '"' + rows.names[0].replace('"', '""') + '"'
    return "\n".join([f"{head},counterfeits", *lines]) + "\n"
