"""The auditor: it tries to refute a claim of differential privacy with runs on neighbours; a layer beside `plan`."""
