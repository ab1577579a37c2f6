"""How much one person can change an answer: neighbours, declared sensitivities, bounded contributions, brute force."""
