"""How questions are answered with differential privacy: priced, charged, asked, and only then published."""
