"""Names of keys, in the spellings and languages that data comes in.

Covers inspection/key_names.
"""

import pytest

from tacit.inspection.key_names import ends_as_key, key_name, names_id

PEOPLE = (
    "pat_id", "pnr", "cpr_nummer", "insurance_number", "klient_nr", "Versichertennr", "Versicherungsnummer",
    "Personalnummer", "KVNR", "Mitgliedsnr", "PatientenNr", "PatientID", "patientid", "patient_id", "Kunden-Nr",
    "kundennr", "NumeroCliente", "num_paciente", "code_patient", "id_assistito", "potilasnumero",
    "deltagernr", "pasient_id", "klantnummer", "id_klienta", "nr_pacjenta", "id_utente", "kundnummer",
    "henkilötunnus_id", "fødselsnummer", "bsn", "PESEL", "subjid", "USUBJID", "mrn", "empno", "Patient Ref",
    "Employee Ref", "Client Ref", "Pupil Ref", "Payroll Ref", "Hospital Number", "Emp#", "Client #", "UPN",
    "CPF", "NIA", "Burgerservicenr", "Sozialversicherungsnr", "Rodné číslo", "ΑΜΚΑ", "Учащийся №", "номер пациента",
    "患者番号", "员工编号", "학생번호", "N° patient", "Αριθμός ασθενή",
)  # fmt: skip


@pytest.mark.parametrize("name", PEOPLE)
def test_numbers_of_people(name):
    assert key_name(name) == "person"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("PATIENT", "people"), ("participant", "people"), ("respondent", "people"), ("customer", "people"),
        ("pseudonym", "people"), ("individual", "people"), ("Subject", "people"), ("Teilnehmer", "people"),
        ("ID", "any"), ("idcode", "any"), ("nr", "any"), ("hhid", "household"), ("household_id", "household"),
        ("doctor_id", "staff"), ("interviewer_no", "staff"), ("Staff No", "staff"),
        ("hid", "household"), ("Alumno/a", "people"), ("Schüler/in", "people"), ("hospital_id", "thing"),
        ("Vertragsnr", None), ("nia_score", None), ("ref", "any"), ("ward_id", "thing"), ("order_no", "matter"),
        ("school_id", "thing"), ("visit_id", "matter"), ("employer_id", "thing"), ("patient_name", None), ("age", None),
        ("case_no", "matter"), ("numero_dossier", "matter"), ("Case Ref", "matter"), ("Fallnummer", "matter"),
        ("policy_number", "matter"), ("account_no", "matter"), ("Fall", "matter"), ("archer_id", "other"),
        ("uye_no", "other"), ("hh", "household"), ("households", None), ("patient_account_no", "matter"),
        ("children", None), ("village", None), ("", None), ("12", None), ("hospital_patient_id", "person"),
        ("id_cliente_banca", "person"), ("patient_unique_id", "person"), ("patient_room_no", "thing"),
        ("student_group_id", "thing"), ("customer_order_number", "matter"), ("insurance_claim_id", "matter"),
        ("client_transaction_id", "matter"), ("part_no", "any"), ("personal_trainer_id", "staff"),
        ("person_household_id", "household"), ("household_person_no", "person"), ("mother_id", "person"),
        ("author", "people"), ("receipt", "matter"), ("user_session_id", "matter"), ("num_patient_sejour", "matter"),
        ("customer_basket", "matter"), ("order", None), ("visits", None), ("visit_patient_id", "person"),
        ("driver_id", "person"), ("patient_key_month", "matter"), ("month_id", "thing"), ("teacher_class_id", "thing"),
    ],
)  # fmt: skip
def test_what_else_names_say(name, kind):
    assert key_name(name) == kind


def test_ids_and_counts():
    assert names_id("ID")
    assert names_id("id_nr")
    assert not names_id("number")
    assert ends_as_key("loan_id")
    assert ends_as_key("id_loan")
    assert not ends_as_key("number_of_pregnancies")
