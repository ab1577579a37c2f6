"""Tacit: use data about people without betraying them."""
