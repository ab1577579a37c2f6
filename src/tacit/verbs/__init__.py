"""The application: what the command line, a service and Python call, and nothing below it."""
