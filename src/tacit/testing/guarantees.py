"""What every guarantee must satisfy."""

from pydantic import ValidationError

from tacit.accounted_loss import AccountedLoss
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import guarantees, parse_guarantee, proven
from tacit.guarantees.guarantee import Guarantee, NotInSql, ProvenGuarantee, RepublicationGuarantee, TableGuarantee
from tacit.testing.parameters import check_parameters, check_survives_json, check_words


def check_guarantee(name: str, example: Guarantee | None = None) -> None:
    """The guarantee says all that others need to know about it; `example` is one with parameters, for the trial."""
    kind, where = (guarantees() | proven())[name], f"guarantees/{name}"
    assert kind.name == name, f"{where}: it calls itself {kind.name!r}"
    check_words(where, title=kind.title, about=kind.about)
    assert kind.paper.startswith("https://"), f"{where}: `paper` must be the https address of the definition"
    assert (kind.__doc__ or "").strip(), f"{where}: its docstring says what it promises; write one"
    assert kind.model_fields, f"{where}: it has no parameter, so there is nothing to promise more or less of"
    assert kind.open, f"{where}: `open` must say what it does not protect from"
    for text in kind.open:
        assert text.endswith("."), f"{where}: `open` has sentences; end them with a full stop"
    check_parameters(where, kind)
    _check_second(where, kind)
    if example is not None:
        _check_example(where, example)


def _check_second(where: str, kind: type[Guarantee]) -> None:
    """It has a second definition of what it measures, or says why there is none."""
    second = {"sql": kind.sql} if issubclass(kind, TableGuarantee) else {}
    more = {"republication_sql": kind.republication_sql} if issubclass(kind, RepublicationGuarantee) else {}
    for name, found in (second | more).items():
        if isinstance(found, NotInSql):
            assert found.reason.endswith("."), (
                f"{where}: `{name}` must say in a sentence why there is no second measure"
            )


def _check_example(where: str, example: Guarantee) -> None:
    """A plan entry with its parameters makes an equal guarantee, which is frozen and says what it promises."""
    check_survives_json(where, example)
    again = parse_guarantee({example.name: example.model_dump(mode="json")})
    assert again == example, f"{where}: a plan that names the parameters of {example!r} makes {again!r} of them"
    assert hash(again) == hash(example), f"{where}: equal guarantees must have equal hashes"
    check_words(where, promise=example.promise())
    if isinstance(example, TableGuarantee):
        worst = example.bound
        check_words(where, promise=example.promise(of="rows"), found=example.found(worst, of="rows"))
    if isinstance(example, ProvenGuarantee) and example.about == "answers":
        _check_proof(where, example)
    assert example.side in ("at least", "at most", "below"), f"{where}: there is no side {example.side!r}"
    try:
        setattr(example, next(iter(type(example).model_fields)), 0)
    except ValidationError:
        return
    raise AssertionError(f"{where}: its parameters must not change; do not change `frozen`")


def _check_proof(where: str, example: ProvenGuarantee) -> None:
    """What answers spend proves it, and the proof is about the guarantee and about what was spent."""
    loss = AccountedLoss(epsilon=0.5, delta=1e-6, neighbours="replace", unit="name", contributions=3)
    try:
        found = example.proven_by(loss)
    except BadParameter as error:
        raise AssertionError(f"{where}: it is about answers, so what they spend must prove it; {error}") from None
    assert found.name == example.name, f"{where}: what is proven is called {found.name!r}"
    told = (found.unit, found.neighbours, found.contributions)
    assert told == ("name", "replace", 3), f"{where}: the proof is about {told}, and 3 rows of a name were replaced"
