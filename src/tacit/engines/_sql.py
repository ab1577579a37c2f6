"""SQL text: quoting, and names that nothing else has."""

from tacit.data.sql import identifier as identifier
from tacit.data.sql import literal as literal
from tacit.data.sql import unused as unused
