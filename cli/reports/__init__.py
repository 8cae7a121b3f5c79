"""The forms in which `panscript validate` says what it found, one module a form."""
