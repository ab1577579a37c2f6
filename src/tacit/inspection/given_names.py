"""Given names: whether values name people, whatever their column is called and however often a person comes again.

The names are common ones of many countries, folded as words of columns are. A word that is as often something else (a
month, a place, a virtue) is left out. A column of names has some of them among many that are not listed, so a share is
enough; towns, goods and occupations have hardly any.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from tacit.inspection import shapes
from tacit.inspection.words import parts

SHARE = 0.25
"""The share of the values with a listed name, from which on a column whose values are shaped like names holds some."""
_SAINTS = frozenset({"san", "santa", "santo", "sao", "saint", "sainte", "st", "ste", "sankt", "sint"})
_WORD = re.compile(r"[^\W\d_]+")
_MENTION = re.compile(r"\b([A-ZÀ-ÞŠŽČĆŁŚŻŹ][^\W\d_]+)(?=[ -]+[A-ZÀ-ÞŠŽČĆŁŚŻŹ][^\W\d_])")

_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Fr|Hr|Frau|Herrn?|Mme|Mlle|Sig|Sra|Dhr|Mevr|Pani)\b\.? +"
    r"(?:(?:Dr|Prof|med)\b\.? +)*[A-ZÀ-ÞŠŽČĆŁŚŻŹ](?:[^\W\d_]|['’])"
)
"""A title with a capital behind it: `Fr. Maurer`, `Dr. Eva Lang`."""

_LIST = (
    "James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew Anthony "
    "Steven Paul Andrew Joshua Kenneth Kevin Brian George Timothy Ronald Edward Jason Jeffrey Ryan Jacob Gary "
    "Nicholas Eric Jonathan Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Alexander Patrick Jack "
    "Dennis Jerry Tyler Aaron Jose Adam Nathan Henry Zachary Douglas Peter Kyle Noah Ethan Jeremy Walter Keith "
    "Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Lisa Nancy Betty Sandra Margaret "
    "Ashley Kimberly Emily Donna Michelle Carol Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia "
    "Dorothy Amy Kathleen Angela Shirley Emma Brenda Pamela Nicole Anna Samantha Katherine Christine Helen Debra "
    "Rachel Carolyn Janet Maria Catherine Heather Diane Olivia Julie Joyce Victoria Ruth Virginia Lauren Kelly "
    "Christina Joan Evelyn Judith Andrea Hannah Megan Cheryl Jacqueline Martha Teresa Sophia Isabella Mia Chloe "
    "Hans Klaus Juergen Jürgen Dieter Manfred Uwe Günter Gunther Helmut Werner Horst Bernd Frank Wolfgang Rainer "
    "Stefan Andreas Jörg Ralf Rolf Heinz Karl Gerhard Otto Kurt Fritz Franz Josef Ludwig Max Felix Lukas Leon "
    "Finn Jonas Tim Jan Nils Lars Sven Björn Torsten Markus Matthias Sebastian Tobias Florian Philipp Willi "
    "Ursula Monika Petra Sabine Renate Helga Karin Brigitte Ingrid Erika Christa Gisela Susanne Gabriele Elke "
    "Angelika Heike Birgit Martina Silke Kerstin Katrin Anja Ilse Gerda Hildegard Greta Frieda Ida Hanna Lena "
    "Lea Marie Sophie Julia Katharina Johanna Charlotte Clara Nele Inge Anke Ute Claudia Jutta Sonja Tanja Dora "
    "Jean Pierre Michel Philippe Alain Bernard Jacques Christophe Nicolas Laurent Olivier Thierry Pascal Eric "
    "Frédéric François Louis Antoine Hugo Gabriel Lucas Jules Mathieu Julien Nathalie Isabelle Sylvie Françoise "
    "Monique Catherine Martine Valérie Sandrine Céline Aurélie Camille Manon Chloé Léa Inès Jeanne Louise "
    "Antonio Manuel José Francisco Juan Javier Carlos Miguel Alejandro Rafael Pedro Pablo Sergio Fernando Jorge "
    "Luis Alberto Álvaro Diego Raúl Enrique Carmen Josefa Isabel Dolores Pilar Ana Cristina Marta Lucía Paula "
    "Sara Elena Rosa Beatriz Raquel Alicia João Paulo Luís Joana Inês Mariana Sofia Beatriz Tiago Rui Nuno "
    "Giuseppe Giovanni Mario Luigi Francesco Angelo Vincenzo Salvatore Marco Alessandro Andrea Matteo Lorenzo "
    "Luca Davide Simone Federico Riccardo Stefano Giulia Francesca Chiara Federica Silvia Valentina Alessia "
    "Elisa Martina Giorgia Roberta Paola Daniela Lucia Piotr Krzysztof Andrzej Tomasz Jan Paweł Michał Marcin "
    "Jakub Adam Łukasz Zbigniew Katarzyna Małgorzata Agnieszka Krystyna Barbara Ewa Elżbieta Zofia Joanna "
    "Magdalena Monika Johannes Pieter Willem Hendrik Cornelis Jeroen Bas Sander Wouter Maartje Anneke Femke "
    "Sanne Lotte Fleur Erik Anders Johan Per Nils Mikael Magnus Gustav Axel Oskar Karin Kristina Birgitta "
    "Ingrid Astrid Freja Emil Søren Jens Niels Lasse Mette Kirsten Hanne Lone Antti Mikko Juha Timo Matti Jukka "
    "Anneli Kaarina Mehmet Mustafa Ahmet Ali Hüseyin Hasan İbrahim Ismail Yusuf Murat Ömer Emre Fatma Ayşe "
    "Emine Hatice Zeynep Elif Meryem Merve Mohammed Muhammad Ahmed Omar Khalid Youssef Fatima Aisha Khadija "
    "Layla Ivan Sergei Dmitri Aleksandr Alexei Nikolai Vladimir Mikhail Igor Oleg Natalia Olga Tatiana Irina "
    "Svetlana Ekaterina Anastasia Wei Ming Hiroshi Takashi Kenji Yuki Akira Haruto Sakura Yoko Keiko Aiko Raj "
    "Amit Rahul Sanjay Vijay Priya Anita Sunita Deepak Arjun Kavita Nguyen Minh Linh"
)
_NAMES = frozenset(part for name in _LIST.split() for part in parts(name))


def has_given_name(text: str) -> bool:
    """Whether one of the words is a listed given name, and not that of a saint whom a place is called after."""
    found = [part for word in _WORD.findall(text) for part in parts(word)]
    return any(part in _NAMES and before not in _SAINTS for before, part in pairwise(["", *found]))


def are_people(values: Sequence[str]) -> bool:
    """Whether the values are full names: shaped like them, and so many with a given name that they are no places."""
    shaped = [text for text in values if shapes.PERSON_NAME.fullmatch(text.replace(", ", " ")) is not None]
    return len(shaped) >= 0.8 * len(values) > 0 and sum(map(has_given_name, shaped)) >= SHARE * len(values)


def are_given_names(values: Sequence[str]) -> bool:
    """Whether the values are single words, and most of them listed given names."""
    words = [text for text in values if _WORD.fullmatch(text)]
    return len(words) >= 0.9 * len(values) > 0 and sum(map(has_given_name, words)) >= 0.5 * len(values)


def has_title(text: str) -> bool:
    """Whether somebody is called by a title: `Asthma (Fr. Maurer)`."""
    return _TITLED.search(text) is not None


def mentions_person(text: str) -> bool:
    """Whether a text of three words or more has a given name and another capital after it: `phoned Petra Keller`."""
    return len(text.split()) > 2 and any(has_given_name(first) for first in _MENTION.findall(text))
