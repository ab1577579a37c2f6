"""Words for health in the names of columns: conditions, symptoms, measurements, treatments.

Medical words are built from Greek and Latin in every language of the West, so most are known by how they begin
(`hepat`, `diabet`, `cardio`) or end (`itis`, `ectomy`, `aemia`); the rest are listed in English, German, Italian,
French, Spanish and, where they differ, Portuguese, Dutch, Polish and the Nordic languages. Names are folded and cut
into parts before (`words.parts`).

Some words mean health only in the company of others: a `stage` is that of a tumour in a file about patients and of a
project elsewhere. `CLINICAL` words count where other columns of the file speak of health.
"""

import re
import unicodedata

_WORDS_LIST = (
    # What is found by an office or a doctor.
    "health healthy unhealthy hlth ill illness illnesses disease diseases sick sickness injury injured disorder "
    "disability disabled disab handicap symptom symptoms diagnosis diagnoses diagnosed dx diag icd comorbidity "
    "comorbidities chronic "
    # Conditions.
    "asthma copd tb tuberculosis hbp htn hypertension hf chf hiv aids sti cancer tumor tumour tumors neoplasm "
    "leukemia leukaemia anemia anaemia stroke infarct infarction angina polio measles mumps malaria covid flu "
    "influenza ulcer hernia gout obesity obese overweight migraine epilepsy seizure seizures parkinson alzheimer "
    "dementia autism adhd schizophrenia bipolar depression depressed depressive anxiety ptsd nervous nerves "
    "breakdown suicide suicidal addiction addicted alcoholism overdose pica eczema psoriasis infection infected "
    "infections sepsis lesion lesions rash itch wheeze dysuria ascites edema oedema jaundice fracture trauma "
    "wound menopause menopausal pregnant pregnancy pregnancies parity miscarriage abortion infertility "
    "birthcontrol contraception contraceptive mgus hemophilia haemophilia transplant transplanted relapse "
    "remission metastasis metastases frail frailty chd cvd afib ckd esrd ibs ibd fatigue nausea vomiting "
    "discharge dizziness insomnia headache headaches pain cough fever weightloss wtloss wheezing swelling deaf "
    "blind deafness "
    # What is measured.
    "blood bloodpressure bloodtype bloodgroup blutgruppe "
    "bmi bp sbp dbp pulse puls heartrate ecg ekg eeg mri bili bilirubin chol cholesterol hdl ldl albumin creat "
    "creatinine egfr gfr hgb haemoglobin hemoglobin hematocrit glucose glu glycemia insulin triglyceride "
    "triglycerides trig platelet platelets protime psa wbc rbc crp ferritin tsh karno karnofsky karnof ecog "
    "gleason apgar viral genotype genome gene mutation allele snp apoe biopsy histology histol celltype ploidy "
    # What is done.
    "medication medications medicine medicines meds drug drugs dose dosage prescription prescribed rx surgery "
    "surgical surg therapy chemo chemotherapy radiotherapy radiation steroid steroids hormone hormonal "
    "antibiotic antibiotics vaccine vaccinated vaccination immunisation immunization hospitalised hospitalized "
    "psychiatrist rehab inpatient outpatient "
    # German.
    "krankheit krankheiten erkrankung erkrankungen gesundheit gesund krank diagnose befund symptome behinderung "
    "schwerbehinderung behindert medikament medikamente schwanger schwangerschaft impfung geimpft therapie "
    "behandlung blutdruck blutzucker krebs schlaganfall herzinfarkt bluthochdruck zuckerkrankheit sucht schmerz "
    "schmerzen husten fieber allergie pflegegrad pflegestufe laborwert entlassdiagnose hauptdiagnose "
    "nebendiagnose verletzung unfall "
    # Italian.
    "malattia malattie salute diagnosi sintomo sintomi farmaco farmaci disabilita gravidanza tumore cancro ictus "
    "infarto ipertensione vaccinazione chirurgia dolore tosse febbre allergia pressione ricovero "
    # French.
    "maladie maladies sante symptome medicament medicaments handicap grossesse cancer tumeur avc infarctus "
    "hypertension vaccin vaccination chirurgie douleur toux fievre allergie diagnostic traitement blessure "
    # Spanish and Portuguese.
    "enfermedad enfermedades salud sintoma sintomas medicamento medicamentos discapacidad embarazo diagnostico "
    "cancer tumor vacuna cirugia dolor fiebre alergia hipertension lesion doenca doencas saude deficiencia "
    "gravidez vacina febre "
    # Dutch, Polish, Nordic.
    "ziekte ziekten gezondheid beperking zwanger kanker bloeddruk aandoening choroba choroby zdrowie ciaza "
    "nowotwor sygdom sygdomme sjukdom sjukdomar sykdom helse halsa sundhed handikap kraeft kreft gravid sairaus "
    "terveys syopa raskaus verslaafd verslaving addictie ziek "
    # Abbreviations, and languages further away.
    "vih sida vhb vhc hbv hcv serologie serologia serology serolog gdb diagn dgn diagnoz hastalik tani betegseg zdravi "
    "bolest zavislost uzaleznienie riippuvuus diagnoosi haigus диагноз болезнь инвалидность инвалид διαγνωση ασθενεια "
    "診断 診断名 病名 疾患 既往歴 诊断 疾病 残疾 진단 질병 "
)
WORDS = frozenset(unicodedata.normalize("NFKD", _WORDS_LIST).split())
WHOLE = frozenset({"sen", "send", "ehcp", "neae"})
"""Abbreviations of special needs, which are only known where they are the whole name."""
BEGINNINGS = (
    "asthma", "bronch", "hepat", "diabet", "hypert", "tubercul", "pneumon", "cardi", "coronar", "arthrit", "cancer",
    "tumor", "tumour", "carcino", "lymph", "leuk", "anaem", "epilep", "schizo", "psychia", "psychos", "depressi",
    "allerg", "diagno", "serolog", "schwerbehind", "invalid", "addict", "verslav",
    "symptom", "disabil", "medicat", "medecin", "medizin", "medicin", "medikament", "medicament",
    "presc", "hospitali", "pregnan", "schwanger", "cholest", "creatin", "hemoglob", "haemoglob", "infect", "infekt",
    "vaccin", "impf", "chronic", "meno", "estrog", "nervous", "hlth", "heartat", "alcoholi", "gesundheit", "krank",
    "erkrank", "malatt", "malad", "enfermed", "comorbid", "illness", "disease", "bowel", "transplant", "neopl",
    "ovar", "prostat", "vagin", "uter", "cervic", "urin", "dementia",
)  # fmt: skip
ENDINGS = (
    "itis", "aemia", "ectomy", "otomy", "oscopy", "plegia", "pathy", "algia", "carcinoma", "lymphoma", "melanoma",
    "sarcoma", "cough", "ulcer", "fever", "pain", "disease", "illness", "krankheit", "erkrankung", "diagnose",
    "maladie", "malattia", "ziekte", "sygdom", "sjukdom", "sykdom", "trouble", "tumor", "tumour", "cancer", "krebs",
    "diagn", "infection", "surgery", "medication", "therapy", "therapie", "syndrome", "syndrom", "deficiency", "heart",
)  # fmt: skip
NEITHER = frozenset({"spain", "hospitality", "cardinal", "painting", "cooperation", "sweetheart", "invalidated"})
"""Words that only look like health."""
MARKED = re.compile(r"(?<![a-z])(?:cd[48]\d*|hba1c?|icd(?:9|10|11)?|stage_?(?:i{1,3}|iv)|sars?|t[34]|il6)(?![a-z])")
"""Names that need their figures."""
CARE = re.compile(
    r"(?:doc|doctors?|dr|md|gp|hosp|hospital|emergency|clinic)(?:vis|day|night|stay|adm|consult|contact)\w*"
)
"""Visits to doctors and stays in hospitals, written as one word."""
TRIAL = frozenset(
    [
        "trt",
        "treat",
        "treated",
        "treatment",
        "placebo",
        "arm",
        "arms",
        "baseline",
        "outcome",
        "relapse",
        "cens",
        "censor",
        "censored",
        "survtime",
    ]
)
"""Words of trials and studies of survival: several of them make a file one about health."""
CLINICAL = frozenset(
    [
        "stage",
        "grade",
        "nodes",
        "node",
        "size",
        "dose",
        "response",
        "outcome",
        "baseline",
        "score",
        "trt",
        "treat",
        "treated",
        "treatment",
        "treatments",
        "arm",
        "arms",
        "ast",
        "alt",
        "alp",
        "alb",
        "alk",
        "phos",
        "copper",
        "zinc",
        "sodium",
        "potassium",
        "calcium",
        "urea",
        "acid",
        "protein",
        "wtloss",
        "followup",
        "stadium",
        "dosis",
        "ergebnis",
        "behandelt",
        "stadio",
        "dosaggio",
        "esito",
        "trattamento",
        "stade",
        "traitement",
        "resultat",
        "estadio",
        "tratamiento",
        "resultado",
    ]
)
"""Words that mean health among columns that speak of health."""


def speaks_of_health(name: str, found: tuple[str, ...]) -> bool:
    """Whether a name, or one of its folded parts, is a word for health."""
    joined = "".join(found)
    if joined in WHOLE or MARKED.search(name.casefold()) is not None:
        return True
    return any(map(_is_health, (*found, joined)))


def speaks_of_trial(found: tuple[str, ...]) -> bool:
    """Whether a part of the name is a word of trials."""
    return not TRIAL.isdisjoint(found)


def may_be_clinical(found: tuple[str, ...]) -> bool:
    """Whether a part of the name is a clinical word, or ends with one of four letters or more, as in `tsize`."""
    return any(part in CLINICAL or part.endswith(_CLINICAL_ENDINGS) for part in found)


_CLINICAL_ENDINGS = ("stage", "grade", "nodes", "size", "dose")


def _is_health(part: str) -> bool:
    if part in NEITHER:
        return False
    if part in WORDS or part.startswith(BEGINNINGS) or CARE.fullmatch(part):
        return True
    bare = part.removeprefix("non")
    of_health = bare != part and bare.startswith(BEGINNINGS)
    treated = part.endswith(("med", "meds", "drug", "drugs")) and re.sub("(?:med|drug)s?$", "", part) in WORDS
    return of_health or treated or (len(part) >= 5 and part.endswith(ENDINGS))
