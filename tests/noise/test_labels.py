"""What the numbers of an answer are called."""

from tacit.noise.labels import between, crossed, number


def test_bins_are_called_by_their_edges() -> None:
    assert between([0.0, 3.0, 6.5]) == ["0 to 3", "3 to 6.5"]
    assert number(12_345.0) == "12,345"


def test_edges_that_lie_close_get_as_many_digits_as_tell_them_apart() -> None:
    assert between([1.0, 1.00000001, 1.00000002]) == ["1 to 1.00000001", "1.00000001 to 1.00000002"]


def test_cells_of_several_axes_are_named_in_their_shape() -> None:
    assert crossed([["f", "m"], ["no", "yes"]]) == [["f, no", "f, yes"], ["m, no", "m, yes"]]
    assert crossed([["f", "m"]]) == ["f", "m"]
