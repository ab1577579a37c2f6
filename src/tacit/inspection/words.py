"""What the name of a column says about it, in English, German, Italian, French, Spanish and their neighbours.

Words for health are in `health_words`, those for keys in `key_names`. A name is cut at signs, digits and changes from
small to capital letters, and folded to small letters without accents. A word of the lists counts where a part equals
it, or begins or ends with it if it has six letters or more, so that `Hauptdiagnose` and `annual_incomes` are understood
and `agency` is no age.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from tacit.inspection.health_words import speaks_of_health

Meaning = Literal[
    "surname", "name", "login", "person", "email", "phone", "address", "national", "account", "card", "key", "code",
    "birth", "postal", "sex", "age", "origin", "coordinate", "place", "time", "body", "health", "money", "tax",
    "belief", "crime", "intimacy", "remark",
    "event",
]  # fmt: skip

_LISTS: dict[Meaning, str] = {
    "surname": (
        "фио surname surnames forename firstname lastname fullname middlename maidenname lname fname "
        "vorname nachname familienname geburtsname cognome nominativo prenom prenoms apellido apellidos patientname "
        "patientenname kundenname mitarbeitername "
        "achternaam voornaam efternamn fornamn etternavn efternavn fornavn sukunimi etunimi nazwisko imie prijmeni "
        "jmeno priezvisko vezeteknev keresztnev prezime soyad soyadi sobrenome apelido prenume фамилия имя отчество "
        "прізвище επωνυμο ονομα 姓名 氏名 名前 姓 이름 성명"
    ),
    "login": "login logins username nickname screenname benutzername loginname alias",
    "name": "name names nome nom noms nombre nombres namen",
    "person": (
        "person patient account customer client user member employee staff student pupil subject participant "
        "respondent applicant donor citizen beneficiary passenger guest worker owner holder author contact mother "
        "father spouse child parent doctor physician nurse full first last middle given family maiden legal kunde "
        "kunden patienten mitarbeiter benutzer mitglied schuler versicherter arzt mutter vater kind persona "
        "paziente cliente utente dipendente studente medico madre padre personne salarie usager etudiant medecin "
        "adherent mere pere usuario empleado estudiante alumno paciente"
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
        "pesel licence license plate kennzeichen targa matricule fuhrerschein patente kfz nummernschild"
    ),
    "account": "iban bban konto kontonummer bankkonto accountnumber",
    "card": "card creditcard cardnumber pan karte kreditkarte carta tarjeta kreditkartennummer ccnumber",
    "key": (
        "id ids uid uuid guid key pk nr no num number index idx identifier record row serial mrn pid nummer kennung "
        "schlussel laufnummer lfd seq seqn seqno obs numero identificativo identifiant cle identificador clave"
    ),
    "code": "code codes codice codici codigo kode",
    "birth": (
        "birth dob born birthdate birthday geburtsdatum geburtstag geburt geburtsjahr geboren nascita nato "
        "naissance naiss nacimiento nac nascimento nasc geb gebdat gebdatum gebjahr geboortedatum geboortejaar "
        "geboorte urodzenia rocznik fodselsdato fodselsar fodelsedatum fodelsear syntymaaika syntymavuosi narozeni"
    ),
    "postal": "zip zipcode postal postcode postalcode plz postleitzahl cap postale codepostal cp",
    "sex": (
        "sex gender female male woman man women geschlecht sesso genere sexe genre sexo genero geslacht plec kon "
        "kjonn kjoenn koen sukupuoli geschl gesl gendr pohlavi spol пол φυλο 性别 性別 성별 weiblich mannlich "
        "femme homme mujer hombre femmina maschio"
    ),
    "origin": (
        "race ethnicity ethnic ethn ethnie black white nonwhite nwhite asian hispanic hisp latino african caucasian "
        "nationality citizenship birthplace herkunft staatsangehorigkeit nationalitat migrationshintergrund razza "
        "etnia nazionalita cittadinanza nationalite origine raza nacionalidad raca nacionalidade nationaliteit "
        "narodowosc nationalitet kansalaisuus"
    ),
    "age": "age ages alter eta edad lebensalter agegroup",
    "coordinate": "latitude longitude lat lon lng breitengrad langengrad latitudine longitudine latitud longitud",
    "place": (
        "city town village municipality county state region district province country commune parish ward area "
        "tract block neighbourhood neighborhood department canton stadt ort gemeinde kreis bezirk bundesland staat "
        "land wohnort citta comune provincia regione paese ville departement pays ciudad municipio pais cidade "
        "gemeente plaats stad kommune kommun lan fylke gmina powiat wojewodztwo miasto kunta maakunta"
    ),
    "time": (
        "year month day week date time hour minute quarter season wave visit period jahr monat tag woche datum zeit "
        "quartal welle anno mese giorno settimana data ora annee mois jour semaine heure ano mes dia fecha hora "
        "maand dag weken jaar rok miesiac dzien ar manad maned vuosi paiva tarih tarihi saat yil "
        "дата время год месяц день час ημερομηνια ημ ετος μηνας"
    ),
    "body": ("height weight groesse korpergrosse gewicht altezza peso taille poids altura estatura lengte waga wzrost"),
    "money": (
        "salary salaries wage wages income incomes earnings earn pay payment payments compensation bonus balance "
        "bal debt debts loan mortgage credit bill wealth assets savings pension inc hinc hhinc faminc spending "
        "expenditure gehalt lohn einkommen verdienst schulden kredit vermogen rente stipendio reddito retribuzione "
        "salario debito debiti prestito mutuo salaire salaires revenu revenus dette dettes remuneration sueldo "
        "ingresos ingreso renta deuda deudas rendimento divida salaris inkomen schuld wynagrodzenie dochod dlug lon "
        "loen inkomst indkomst inntekt gjeld skuld palkka tulot velka"
    ),
    "tax": (
        "tax taxes steuer steuern imposta imposte tassa tasse impot impots impuesto impuestos imposto belasting "
        "skat skatt"
    ),
    "belief": (
        "religion religious faith confession church belief beliefs vote voted voting political politics party "
        "ideology union unionised unionized konfession glaube partei gewerkschaft religione partito sindacato "
        "syndicat parti croyance sindicato partido voto religiao geloof kerk vakbond religia partia wyznanie kirke "
        "kyrka fagforening uskonto"
    ),
    "crime": (
        "crime criminal offence offenses offences offense conviction convictions convicted arrest arrested arrests "
        "prison jail custody parole probation sentence felony misdemeanor recidivism straftat vorstrafe "
        "verurteilung reato condanna infraction condamnation delito condena crimen haft bewahrung gefangnis carcere "
        "prisione carcel prisao gevangenis fengsel faengsel fangelse wiezienie misdrijf"
    ),
    "intimacy": (
        "sexuality sexual orientation homosexual heterosexual bisexual gay lesbian homo lgbt affair affairs "
        "infidelity adultery condom condoms prostitution rape abuse sexualitat affare untreue kondom missbrauch "
        "sessualita tradimento sexualite infidelite sexualidad infidelidad seksualiteit"
    ),
    "event": (
        "event events session sessions transaction transactions txn trx purchase purchases booking bookings trip trips "
        "click clicks login logon call calls payment payments visit visits encounter encounters besuch besuche "
        "besuchs buchung buchungs behandlung behandlungs fahrt anruf zahlung visita visite commande achat appel trajet "
        "paiement compra pedido viaje llamada pago acquisto viaggio chiamata pagamento bezoek reis betaling wizyta "
        "wizyty zakup zakupu besok kob kop transakce transakcja transakcji tranzakcio islem вызов вызова визит визита "
        "покупка операция"
    ),
    "remark": (
        "remark remarks comment comments note notes memo freetext bemerkung bemerkungen kommentar kommentare "
        "anmerkung anmerkungen notiz notizen freitext osservazione osservazioni commento commenti remarque remarques "
        "commentaire commentaires observaciones observacion comentario comentarios observacoes opmerking opmerkingen "
        "uwagi komentarz anmarkning kommentarer bemaerkning merknad huomautus poznamka"
    ),
}
LINKS = frozenset({"of", "the", "de", "du", "des", "del", "della", "di", "da", "von", "der", "la", "le", "el"})
_BOTH_SEXES = frozenset(
    {("m", "f"), ("f", "m"), ("m", "w"), ("w", "m"), ("h", "f"), ("f", "h"), ("m", "k"), ("k", "m")}
)
_LONG = 6
_LOGARITHMS = ("l", "ln", "log")
_LETTERS = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
"""Letters that no decomposition takes apart."""


def parts(name: str) -> tuple[str, ...]:
    """The words of a column's name, folded."""
    spaced = re.sub(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Ý])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    # Taking signs apart may bring capitals out (℠ holds S and M), and folding may bring signs that can be taken apart.
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", spaced).casefold())
    plain = "".join(character for character in folded if not unicodedata.combining(character)).casefold()
    return tuple(re.findall(r"[^\W\d_]+", plain.translate(_LETTERS)))


_WORDS: dict[Meaning, frozenset[str]] = {
    meaning: frozenset(part for word in text.split() for part in parts(word)) for meaning, text in _LISTS.items()
}


_STEMS: dict[Meaning, tuple[str, ...]] = {
    meaning: tuple(word for word in words if len(word) >= _LONG) for meaning, words in _WORDS.items()
}
_MOST_KEPT = 65_536
"""How many names and parts of names are kept: a wide file has ten thousand, and each is asked about again and again."""


@lru_cache(maxsize=_MOST_KEPT)
def meanings(name: str) -> frozenset[Meaning]:
    """Every meaning that some part of the name has."""
    found = parts(name)
    if len(found) > 2 and all(len(part) == 1 for part in found):
        found = ("".join(found),)  # D.O.B.
    said = {meaning for part in found for meaning in _said_by(part)}
    if any(_is_income(part) or _is_log_of(part, _WORDS["money"]) for part in found):
        said.add("money")
    if found in _BOTH_SEXES:
        said.add("sex")
    if speaks_of_health(name, found):
        said.add("health")
    return frozenset(said)


def names_person(name: str) -> bool:
    """Whether the name says that the column holds names of people: `name`, `patient_name`, not `country_name`."""
    found = parts(name)
    if any(_said_by(part) & {"surname", "login"} for part in found):
        return True
    others = [part for part in found if part not in _WORDS["name"]]
    return len(others) < len(found) and all(part in _WORDS["person"] or part in LINKS for part in others)


def _is_income(part: str) -> bool:
    """Whether the part is short for an income, as in `hhinc` and `linc`."""
    return part.endswith("inc") and len(part) <= 7 and part != "zinc"


def _is_log_of(part: str, words: frozenset[str]) -> bool:
    """Whether the part is a word with the sign of a logarithm in front, as in `lwage`."""
    return any(part.startswith(sign) and part[len(sign) :] in words for sign in _LOGARITHMS)


@lru_cache(maxsize=_MOST_KEPT)
def _said_by(part: str) -> frozenset[Meaning]:
    """The meanings whose lists have the part, or a long word that it begins or ends with."""
    return frozenset(
        meaning
        for meaning, stems in _STEMS.items()
        if part in _WORDS[meaning] or part.startswith(stems) or part.endswith(stems)
    )
