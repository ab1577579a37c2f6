"""What a release shows for itself: report, evidence file, certificate, summary. All of it reads a `Release` only."""
