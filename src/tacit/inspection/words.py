"""What the name of a column says about it, in English, German, Italian, French and Spanish.

A name is cut at signs, digits and changes from small to capital letters, and folded to small letters without accents. A
word of the lists counts where a part equals it, or begins or ends with it if it has six letters or more, so that
`Hauptdiagnose` and `annual_incomes` are understood and `agency` is no age.
"""

import re
import unicodedata
from typing import Literal

Meaning = Literal[
    "surname", "name", "person", "email", "phone", "address", "national", "account", "card", "key", "person-key",
    "code", "birth", "postal", "sex", "age", "coordinate", "health", "money", "belief", "crime",
]  # fmt: skip

_LISTS: dict[Meaning, str] = {
    "surname": (
        "surname surnames forename firstname lastname fullname middlename maidenname username login nickname "
        "vorname nachname familienname geburtsname cognome nominativo prenom prenoms apellido apellidos "
        "patientname patientenname kundenname mitarbeitername"
    ),
    "name": "name names nome nom noms nombre nombres namen",
    "person": (
        "person patient account customer client user member employee staff student pupil subject participant "
        "respondent applicant donor citizen beneficiary passenger guest worker owner holder author contact "
        "mother father spouse child parent doctor physician nurse full first last middle given family maiden legal "
        "kunde kunden patienten mitarbeiter benutzer mitglied schuler versicherter arzt mutter vater kind "
        "persona paziente cliente utente dipendente studente medico madre padre "
        "personne salarie usager etudiant medecin adherent mere pere "
        "cliente usuario empleado estudiante alumno paciente"
    ),
    "email": "email mail mails emails emailaddress courriel correo posta",
    "phone": "phone telephone tel mobile cell cellphone fax handy telefon telefono cellulare movil portable",
    "address": (
        "address street housenumber adresse anschrift strasse hausnummer indirizzo rue domicile domicilio direccion "
        "calle residenza"
    ),
    "national": (
        "ssn nin nino nhs passport passeport pasaporte passaporto personalausweis reisepass steuernummer steuerid "
        "sozialversicherungsnummer versichertennummer ahv codicefiscale fiscale dni nie nif nir securite insee curp "
        "pesel licence license plate kennzeichen targa matricule fuhrerschein patente"
    ),
    "account": "iban bban konto kontonummer bankkonto accountnumber",
    "card": "card creditcard cardnumber pan karte kreditkarte carta tarjeta kreditkartennummer ccnumber",
    "key": (
        "id ids uid uuid guid key pk nr no num number index idx identifier record row serial mrn pid "
        "nummer kennung schlussel laufnummer lfd numero identificativo identifiant cle identificador clave"
    ),
    "person-key": "pid mrn uid subjid usubjid ptid patid empid custid stuid matrikelnummer matricola",
    "code": "code codes codice codici codigo kode",
    "birth": (
        "birth dob born birthdate birthday geburtsdatum geburtstag geburt geburtsjahr geboren nascita nato "
        "naissance nacimiento nac"
    ),
    "postal": "zip zipcode postal postcode postalcode plz postleitzahl cap postale codepostal cp",
    "sex": "sex gender geschlecht sesso genere sexe genre sexo genero",
    "age": "age ages alter eta edad lebensalter agegroup",
    "coordinate": "latitude longitude lat lon lng breitengrad langengrad latitudine longitudine latitud longitud",
    "health": (
        "diagnosis diagnoses diagnosed diagnostic disease illness symptom symptoms icd icd9 disorder disability "
        "medication drug drugs prescription hiv cancer allergy allergies genotype mutation pregnant pregnancy health "
        "surgery bmi dx diag rx therapy comorbidity comorbidities vaccine vaccinated vaccination "
        "therapie impfung "
        "diagnose krankheit krankheiten erkrankung symptome behinderung medikament medikamente schwangerschaft befund "
        "diagnosi malattia malattie sintomo sintomi farmaco farmaci disabilita gravidanza "
        "maladie maladies symptome medicament handicap grossesse sante "
        "enfermedad enfermedades sintoma medicamento discapacidad embarazo salud diagnostico"
    ),
    "money": (
        "salary salaries wage wages income earnings pay payment payments compensation bonus balance bal debt loan "
        "credit bill wealth pension tax taxes "
        "gehalt lohn einkommen verdienst schulden kredit vermogen rente "
        "stipendio reddito retribuzione salario debito debiti prestito mutuo "
        "salaire salaires revenu revenus dette dettes remuneration "
        "sueldo ingresos ingreso renta deuda deudas"
    ),
    "belief": (
        "religion religious faith confession church vote voted political politics sexuality "
        "konfession glaube gewerkschaft religione sindacato syndicat sindicato voto"
    ),
    "crime": (
        "crime criminal offence offense conviction convicted arrest arrested prison "
        "straftat vorstrafe verurteilung reato condanna infraction condamnation delito condena"
    ),
}
_WORDS: dict[Meaning, frozenset[str]] = {meaning: frozenset(text.split()) for meaning, text in _LISTS.items()}
_LINKS = frozenset({"of", "the", "de", "du", "des", "del", "della", "di", "da", "von", "der", "la", "le", "el"})
_LONG = 6


def parts(name: str) -> tuple[str, ...]:
    """The words of a column's name, folded."""
    spaced = re.sub(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Ý])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    # Taking signs apart may bring capitals out (℠ holds S and M), and folding may bring signs that can be taken apart.
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", spaced).casefold())
    plain = "".join(character for character in folded if not unicodedata.combining(character)).casefold()
    return tuple(re.findall(r"[^\W\d_]+", plain))


def meanings(name: str) -> frozenset[Meaning]:
    """Every meaning that some part of the name has."""
    found = parts(name)
    return frozenset(meaning for meaning, words in _WORDS.items() if any(_says(part, words) for part in found))


def names_person(name: str) -> bool:
    """Whether the name says that the column holds names of people: `name`, `patient_name`, not `country_name`."""
    found = parts(name)
    if any(_says(part, _WORDS["surname"]) for part in found):
        return True
    others = [part for part in found if part not in _WORDS["name"]]
    return len(others) < len(found) and all(part in _WORDS["person"] or part in _LINKS for part in others)


def names_person_key(name: str) -> bool:
    """Whether the name says that the column numbers people: `patient_id`, `Kunden-Nr`, `pid`, not `ward_id`."""
    found = frozenset(parts(name))
    keys = _WORDS["key"] | _WORDS["code"]
    if found & _WORDS["person-key"] or any(_joins(part, keys) for part in found):
        return True
    return bool(found & keys) and bool(found & _WORDS["person"])


def _joins(part: str, keys: frozenset[str]) -> bool:
    """Whether the part is a word for a person and one for a key, written as one: `patientid`."""
    return any(part.endswith(key) and part[: -len(key)] in _WORDS["person"] for key in keys)


def _says(part: str, words: frozenset[str]) -> bool:
    return part in words or any(len(word) >= _LONG and (part.startswith(word) or part.endswith(word)) for word in words)
