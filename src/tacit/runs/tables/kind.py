"""Tables: rows about people, with a role for each column."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.data.dataset import Dataset
from tacit.data.sources.source import file_source, known_format
from tacit.data.tables.classes import classes_of
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.guarantees.guarantee import TableGuarantee, check
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.promise import Measured
from tacit.release.release import Release
from tacit.release.tables import TableBody
from tacit.request import Progress, be_silent
from tacit.runs.attack import AttackOutcome, evidence_beside, own_evidence, require_release, write_board
from tacit.runs.check import CheckResult
from tacit.runs.files import OutcomeFiles, default_output, input_files, table_files
from tacit.runs.job import Job, plan_job
from tacit.runs.kind import Kind, Look
from tacit.runs.release_call import ReleaseCall
from tacit.runs.run import Process
from tacit.runs.tables.count import count
from tacit.runs.tables.process import TableProcess
from tacit.runs.tables.read_back import read_back
from tacit.runs.tables.stations import WrittenTable
from tacit.runs.tables.task import guarantees_of, secret_files, task_of

if TYPE_CHECKING:
    from tacit.evidence.page import BodyPage
    from tacit.runs.candidates import ComparisonRequest
    from tacit.runs.compare import ComparisonPage


class TablesKind(Kind[Dataset]):
    """Tables of people."""

    name = "tables"
    title = "Tables of rows about people"
    body = TableBody
    release_fields = frozenset(ReleaseSection.model_fields)

    def claims(self, path: Path) -> bool:
        """Whether the name of the file is that of a table."""
        return known_format(path) is not None

    def dataset(self, plan: Plan) -> Dataset:
        """The table that a plan describes."""
        return plan.dataset

    def inputs(self, plan: Plan) -> tuple[Path, ...]:
        """Data, population and hierarchies."""
        return input_files(plan.dataset)

    def secrets(self, plan: Plan) -> tuple[Path, ...]:
        """The files that steps keep secret, such as keys and vaults."""
        section = plan.file.release
        return () if section is None else secret_files(plan.dataset, section)

    def inspect(self, path: Path, engine: Engine, options: Mapping[str, Any]) -> Look:
        """What each column seems to be, and who stands out."""
        from tacit.runs.tables.look import look_at

        return look_at(path, engine, options)

    def process(self, job: Job[Dataset], plan: Plan, engine: Engine) -> Process[Any, Any, Any, Any]:
        """The stations of a release of a table."""
        return TableProcess(job, task_of(job.dataset, plan.release), engine)

    def called(self, call: ReleaseCall, engine: Engine) -> Process[Any, Any, Any, Any]:
        """The stations of a release of a dataset."""
        if call.budget is not None:
            raise BadParameter("`budget` is for methods that give differential privacy; leave it out here")
        measured = tuple(parse_table_guarantee(guarantee) for guarantee in call.guarantees)
        task = task_of(call.dataset, call.section, measured)
        return TableProcess(call.job_of(call.dataset), task, engine)

    def frame_of(self, made: WrittenTable) -> Any:
        """The rows that stayed in memory."""
        return made.frame

    def view(self, dataset: Dataset, engine: Engine) -> Tally:
        """The table as it is counted."""
        return count(dataset, engine)

    def read(self, dataset: Dataset, path: Path, engine: Engine) -> Tally:
        """A file as it is counted by the quasi-identifiers of the plan."""
        return read_back(engine, file_source(path), dataset.reading, count(dataset, engine).sensitive).tally

    def measure(self, guarantee: TableGuarantee, view: Tally) -> Measured:
        """What the guarantee measures on the classes."""
        return check(guarantee, classes_of(view))

    def guarantees(self, section: ReleaseSection) -> tuple[TableGuarantee, ...]:
        """Guarantees that are measured on classes."""
        return guarantees_of(section)

    def default_output(self, plan: Plan) -> Path:
        """Where the plan wants its release, in the format of its data."""
        return default_output(plan)

    def files(self, plan: Plan, output: Path | None) -> OutcomeFiles:
        """Where the release goes, in a format that can be written."""
        return table_files(output or self.default_output(plan)).with_public(plan.release.public)

    def page(self, release: Release[Any]) -> "BodyPage":
        """Classes, risk, loss and values of the table."""
        from tacit.evidence.tables.report import table_page

        return table_page(release)

    def lines(self, release: Release[Any]) -> list[str]:
        """What was found before and after, and what was lost."""
        from tacit.evidence.tables.summary import table_lines

        return table_lines(release)

    def brief(self, release: Release[Any]) -> str:
        """What was lost, and by which method if that was chosen."""
        from tacit.spelling import many

        body = release.body
        by = "" if body.competition is None else f" by {body.competition.winner.method}"
        return f"loss {body.metrics['loss']:.4f}{by}, {many(body.suppressed.rows, 'row', 'rows')} suppressed"

    def check(self, plan: Plan, path: Path, engine: Engine, options: Mapping[str, Any]) -> CheckResult:
        """Guarantees and risk of the file, and what else it shows."""
        from tacit.runs.tables.check import check_file

        own = plan.dataset.source.path
        if own is not None and path.exists() and own.samefile(path):
            # The plan's own data is read as the plan says, and with what was told in its place.
            told = {name: value for name, value in options.items() if value is not None}
            return check_file(plan, file_source(path, **{**plan.file.data.options(), **told}), engine)
        return check_file(plan, file_source(path, **options), engine)

    def recount(self, release: Release[Any], folder: Path, engine: Engine) -> tuple[str, ...]:
        """Classes, suppressed rows, and the promises that the file alone shows."""
        from tacit.runs.tables.recount import recounted

        path = folder / release.output.name
        return tuple(recounted(release, file_source(path), engine)) if path.is_file() else ()

    def attack(
        self, plan: Plan, engine: Engine, releases: Sequence[Path] = (), progress: Progress = be_silent
    ) -> AttackOutcome:
        """Every attack that applies, on the raw file, without its identifiers, and on the release."""
        from tacit.runs.tables.attack.board import AttackedData, ReleaseToAttack, attack_tables

        paths = tuple(releases) or (self.default_output(plan),)
        for path in paths:
            require_release(path, plan)
        evidence = own_evidence(paths[0], plan)
        others = tuple(ReleaseToAttack(file_source(path), evidence_beside(path)) for path in paths[1:])
        data = AttackedData.of(plan.dataset, plan.release)
        first = ReleaseToAttack(file_source(paths[0]), evidence)
        return write_board(attack_tables(data, (first, *others), engine, progress), evidence, self)

    def compare(
        self,
        plan: Plan,
        engine: Engine,
        wanted: "ComparisonRequest",
        page: Path | None = None,
        progress: Progress = be_silent,
    ) -> "ComparisonPage":
        """Every candidate, decided and measured in memory."""
        from tacit.evidence.comparison.page import write_comparison
        from tacit.runs.compare import ComparisonPage, page_place
        from tacit.runs.tables.compare.compare import compare_tables

        place = page_place(self, plan, page)
        job = plan_job(plan, plan.dataset, self.inputs(plan), progress=progress)
        comparison = compare_tables(job, plan.release, engine, wanted)
        write_comparison(comparison, place)
        return ComparisonPage(comparison, place)


KIND = TablesKind()
