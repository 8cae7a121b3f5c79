"""The version of the program; the package takes it from here."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
