"""Names of keys: whether a column's name says that it numbers people, households, staff, or something else.

Data comes in every language and spelling: `patient_id`, `PATIENT`, `pnr`, `Versichertennr`, `cpr_nummer`,
`NumeroCliente`, `potilasnumero`, `Emp#`, `患者番号`. A name is cut into folded parts as in `words`; a part may also be
a noun for people and a word for a number written as one (`patientennr`). Of several nouns the one beside the word for
a number says what is numbered: the last before it (`hospital_patient_id`, `patient_room_no`), the first behind it
(`id_cliente_banca`). What a key is of decides what it may be the unit of:

- `person`: a noun for people with a word for a number, or one of the words that offices and studies use for it;
- `people`: just a noun for people (`subject`), which is a key if its values look like one;
- `matter`: a case, a policy, an account, a visit, a receipt, of which a person may have several;
- `any`: just a word for a number (`ID`, `nr`), or something else that belongs to a person (`customer_order_no`);
- `household` and `staff`: keys that several people of a table share, unless its rows say otherwise;
- `thing`: the number of a place, an organisation, a kind of goods or a time (`ward_id`), which many people share;
- `other`: the number of something that is not listed here. It may belong to a person (`order_no`) or be one in a
  language or a trade that nobody thought of (`athlete_id`), so the name speaks neither for a person nor against.
"""

import re
from functools import lru_cache
from typing import Literal

from tacit.inspection.words import parts

KeyName = Literal["person", "people", "matter", "any", "household", "staff", "thing", "other"]


def _words(text: str) -> frozenset[str]:
    return frozenset(part for word in text.split() for part in parts(word))


_KEYS = _words(
    "id ids ident identifier identity identifiant identificativo identificador identifikator identificatie "
    "kennung kenn key clave cle chiave schlussel sleutel nyckel nokkel nogle klucz chave pk uid uuid guid nr "
    "nrs no num number numbers numero numeros nummer nummern numer numeret nummeret nro tunnus code kode codigo "
    "codice kod koodi idx index serial lfd lfdnr laufnummer lopnr lopenummer lobenummer record row seq seqn "
    "seqno seqnum sequence obs observation obsno idcode idno idnum idnr ref refs reference referenz referentie "
    "referencia riferimento číslo azonosító identyfikator numurs numeris szám száma broj stevilka numar номер ид код "
    "αριθμός αρ αριθ κωδικός 番号 编号 編號 號碼 号码 号 コード 번호"
)
"""Words for a number or a key, folded."""

_IDS = _words(
    "id ids ident identifier identity identifiant identificativo identificador identifikator identificatie "
    "kennung key clave cle chiave schlussel sleutel nyckel nokkel nogle klucz chave pk uid uuid guid nr idcode "
    "idno idnum idnr"
)
"""Those of them that are never a count or an index of something."""

_PEOPLE = _words(
    "person persons patient patients participant participants respondent respondents customer client subject "
    "individual user member employee student pupil worker proband insured insurant policyholder taxpayer voter "
    "resident inmate prisoner borrower debtor applicant donor citizen beneficiary passenger panelist pseudonym "
    "case veteran enrollee kunde kunden patientin patienten mitarbeiter mitglied mitglieds versicherter "
    "versicherte versicherten versicherungs klient klienten teilnehmer probanden bewohner mandant nutzer "
    "benutzer schuler beschaftigter burger fall personal persona paziente assistito assicurato partecipante "
    "soggetto dipendente studente cliente utente cittadino personne assure adherent participante sujet salarie "
    "usager etudiant individu beneficiaire paciente asegurado afiliado encuestado sujeto empleado estudiante "
    "alumno usuario individuo ciudadano pessoa segurado funcionario inquirido utilizador patient klant klanten "
    "deelnemer werknemer verzekerde persoon leerling burger pacjent klient uczestnik osoba ubezpieczony "
    "pracownik uczen kund kunder deltagare deltager deltaker medlem anstalld ansat ansatt borger bruger brukare "
    "bruker pasient elev henkilo potilas asiakas osallistuja tyontekija sjuklingur aluno eleve allievo alunno "
    "leerling oppilas opilane uczniowie žák žiak student studentka bolnik pacient pacijent páciens beteg diák "
    "dolgozó zamestnanec zaposleni ügyfél hasta çalışan öğrenci müşteri пациент клиент сотрудник работник "
    "учащийся ученик студент абонент застрахованный пацієнт учень ασθενής ασθεν πελάτης πελάτ "
    "μαθητής μαθητ υπάλληλος υπαλλήλ ασφαλισμέν "
    "患者 病人 员工 員工 社員 職員 従業員 学生 學生 生徒 客户 客戶 顧客 会員 會員 利用者 被保険者 受験者 "
    "환자 직원 학생 고객 회원 "
    "holder policyholder cardholder inhaber titular titulaire intestatario author driver player runner rider athlete "
    "reader borrower caller requester reporter sender owner tenant insuree "
    " victim suspect defendant offender witness leser fahrer spieler besitzer mieter autor autore lecteur "
    "conducteur joueur auteur conducente giocatore lettore conductor jugador lector autor"
)
"""Nouns for people that a bare column is called by where it numbers them."""

_SHORT = _words(
    "mother father parent guardian carer spouse partner sibling child guest visitor contact "
    "pat pt pats subj resp respo part indiv ind pers cust cli emp stud stu mem usr insurance insurant vers "
    "chart file dossier akte mrn health medicare medicaid nhs social national tax pensioner account konto "
    "policy police polizza medlems kunde kund persnr payroll burgerservice sozialversicherungs "
    "rentenversicherungs krankenversicherungs krankenkassen steuer sozial rodné 病历 病歴 身份证 診察券 주민등록"
)
"""What stands for people only beside a word for a number: `pat_id`, `insurance_number`."""
_VAGUE = _words("part ind")
"""Those nouns that may as well mean a thing."""
_DESCRIBING = _words(
    "unique study screening pseudo pseudonymous anon anonymous anonymised anonymized encrypted hashed hash internal "
    "external new old original main primary global local master full short intern extern neu alt interne interno"
)
"""What says of a number which of several it is, and not what it numbers."""

_OFFICIAL = _words(
    "pid pidp pidnum mrn ipp codfisc ptid patid subjid usubjid empid custid stuid respid indid iid caseid caseno patno "
    "patnr pnr ptnr personid personnr personnummer personalnummer personnumer persnum persnr kvnr versnr "
    "versnummer fallnr fallnummer matrikelnummer matrikelnr matricola matricule pseudonymid cpr cprnr cprnummer "
    "fodselsnummer fnr hetu kennitala bsn burgerservicenummer pesel ssn nhsnumber nhsno nin nino ahv ahvnr egk "
    "kvnummer steuernummer steuerid svnr sozialversicherungsnummer userid memberid empno custno clientid "
    "clientno studentid hospitalnumber hospitalno hospno burgerservicenr rijksregisternummer insz niss isikukood "
    "henkilotunnus αμκα amka снилс инн 学号 學號 学籍番号 マイナンバー 身份证号 身分證字號 "
)
_ALONE = _words(
    "upn uln nia cpf nit rut cuil cuit curp cedula nif nie dni nuss nss nir oib emšo jmbg egn cnp taj tckn "
    "tcno kimlik aadhaar nric tfn asmenskodas personaskods personnelno"
)
"""The names of numbers that states and offices give to people, where they are the whole name."""
_HOUSEHOLD = _words(
    "hh hid hhid hhnr hhno hhnum household households haushalt haushalts haushaltsnr haushaltsid menage foyer hogar "
    "famiglia family familie famille familia nucleo huishouden husholdning hushall kotitalous gospodarstwo "
    "agregado"
)
_STAFF = _words(
    "staff doctor physician nurse surgeon clinician therapist provider practitioner interviewer enumerator teacher "
    "lecturer judge rater reviewer trainer coach instructor agent manager supervisor caseworker arzt arzte "
    "behandler lehrer interviewerin betreuer medecin enseignant enqueteur medico insegnante docente entrevistador "
    "profesor leraar arts lekarz lakare laege lege"
)
_MATTERS = _words(
    "case cases fall falle fallnr fallnummer caseid caseno caso cas zaak sak sag policy police polizza account konto "
    "chart file dossier akte contract vertrag contrat contrato umowa szerzodes overeenkomst subscription"
)
_OCCASIONS = _words(
    "session visit encounter episode stay sejour admission aufnahme hospitalisation pobyt eset basket cart receipt "
    "invoice booking reservation buchung rechnung beleg quittung bon facture factura fattura faktura szamla order "
    "bestellung commande pedido ordine zamowienie objednavka trip journey claim schaden sinistre transaction buchung "
    "basvuru hizmet poseta"
)
"""What a person does again and again."""
_SINGLE = _words(
    "session episode encounter basket cart receipt invoice booking beleg quittung rechnung facture factura fattura "
    "faktura"
)
"""Those of them that a bare column is called by where it numbers them: an `order` and a `visit` are mostly counted."""
_THINGS = _words(
    "station store shop branch filiale ward room zimmer bed bett floor building gebaude site standort clinic klinik "
    "praxis hospital krankenhaus school schule ecole escuela scuola class klasse classe clase grade team club verein "
    "league liga department abteilung division faculty institute institut company firma firm entreprise empresa "
    "azienda employer arbeitgeber organisation organization center centre zentrum centro region district bezirk kreis "
    "county city town stadt village gemeinde municipality state province land country area zone tract block street "
    "route line linie flight train bus product produkt produit producto article artikel item sku goods model modell "
    "version batch charge category kategorie group gruppe groupe grupo cluster stratum psu type typ kind event course "
    "kurs lecture exam test trial round day tag week woche month monat year jahr quarter page chapter question"
)
"""What many people share, however it is numbered."""
_PERIODS = _words("day tag jour dia giorno week woche semaine semana month monat mois mes mese quarter year jahr annee")
_FEMININE = _words("a e in innen ne euse rice trice ka ni")
_SIGN = re.compile(r"#|[Nn][°º]")
"""Signs for a number."""
_INFLECTED = 5
"""Nouns of so many letters are known with up to three more behind them: `klienta`, `patients`."""
_STEM = 4
"""The least number of letters before a word for a number that is part of a longer word."""


@lru_cache(maxsize=65_536)
def key_name(name: str) -> KeyName | None:
    """What the column numbers, by its name; None where the name does not speak of numbering anything."""
    found = parts(_SIGN.sub(" nr ", name))
    joined = "".join(found)
    if not found:
        return None
    if found[0] in _OFFICIAL or joined in _OFFICIAL or joined.removesuffix("nr") in _ALONE:
        return "matter" if {found[0], joined} & _MATTERS else "person"
    nouns, numbered = _taken_apart(found)
    if not numbered:
        return _bare(nouns)
    if not nouns:
        return "any"
    return _numbered(_head(found, nouns), nouns)


def _numbered(head: str, nouns: tuple[str, ...]) -> KeyName:
    """What a number is of, whose name has these nouns, of which the head is beside the word for a number."""
    if head in _HOUSEHOLD:
        return "household"
    if head in _STAFF:
        return "staff"
    if head in _PERIODS and any(map(_is_people, nouns)):
        # A person's month.
        return "matter"
    if head in _THINGS:
        return "thing"
    if head in _MATTERS | _OCCASIONS:
        return "matter"
    if _is_people(head) or head in _SHORT:
        return "any" if head in _VAGUE else "person"
    return "any" if any(_is_people(noun) or noun in _SHORT for noun in nouns) else "other"


def _head(found: tuple[str, ...], nouns: tuple[str, ...]) -> str:
    """The noun that the word for a number belongs to: the one before it, or behind it where the name begins with it."""
    telling = [noun for noun in nouns if noun not in _DESCRIBING] or list(nouns)
    occasion = next((noun for noun in telling if noun in _OCCASIONS), None)
    if occasion is not None and found[-1] not in _KEYS:
        # The number of a patient's stay, whatever is named first.
        return occasion
    return telling[0] if found[0] in _KEYS and found[-1] not in _KEYS else telling[-1]


def _is_people(noun: str) -> bool:
    """Whether the noun is one for people, in whatever case or number."""
    return noun in _PEOPLE or any(
        len(one) >= _INFLECTED and noun.startswith(one) and len(noun) <= len(one) + 3 for one in _PEOPLE
    )


def names_id(name: str) -> bool:
    """Whether the name is nothing but a word for a key, such as `ID`; a `number` may count something."""
    found = parts(name)
    return bool(found) and all(part in _IDS for part in found)


def names_thing(name: str) -> bool:
    """Whether the name is nothing but words for what many people share, such as `class` or `school`."""
    found = parts(name)
    return bool(found) and all(part in _THINGS for part in found)


def ends_as_key(name: str) -> bool:
    """Whether the name is that of a key and not of a count: `loan_id` and `id_loan`, not `number_of_loans`."""
    found = parts(name)
    return bool(found) and (found[-1] in _KEYS or found[0] in _IDS)


def _bare(nouns: tuple[str, ...]) -> KeyName | None:
    """What a name without a word for a number says: only a single noun may be a key, for both sexes (`Alumno/a`)."""
    if nouns[-1] in _SINGLE:
        return "matter"
    if len(nouns) != 1 and not (len(nouns) == 2 and nouns[1] in _FEMININE):
        return None
    noun = nouns[0]
    if noun in _HOUSEHOLD:
        # In the plural they are counted, as in `households`.
        is_one = noun.startswith(("hh", "hid", "household", "haushalt")) and noun != "households"
        return "household" if is_one else None
    if noun in _STAFF:
        return "staff"
    if noun in _MATTERS:
        return "matter" if noun in _PEOPLE else None
    return "people" if noun in _PEOPLE else None


def _taken_apart(found: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """The nouns of a name, and whether it has a word for a number, of its own or at the end or the start of a noun."""
    nouns, numbered = [], False
    for part in found:
        if part in _KEYS:
            numbered = True
            continue
        noun = _noun_of(part)
        numbered = numbered or noun != part
        nouns.append(noun)
    return tuple(nouns), numbered


def _noun_of(part: str) -> str:
    """The noun of a noun and a word for a number written as one (`patientennr`, `idclient`), or the part itself."""
    known = _PEOPLE | _HOUSEHOLD | _STAFF
    for key in _KEYS:
        head, tail = part.removesuffix(key), part.removeprefix(key)
        if head != part and (head in known or (head in _SHORT and len(head) >= _STEM)):
            return head
        if tail != part and tail in known:
            return tail
    return part
