"""Searches that can be stopped: the parameter that they share."""

from typing import Annotated

from pydantic import Field

from tacit.params import Params


class TimedParams(Params):
    """Parameters of a search that stops after some time with the best that it has."""

    seconds: Annotated[float | None, Field(gt=0, description="the search stops after this time; by default never")] = (
        None
    )
