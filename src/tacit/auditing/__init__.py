"""The auditor: tries to refute a claim of differential privacy by running it on neighbours; it stands beside `plan`."""
