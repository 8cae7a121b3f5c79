"""Run the command line as `python -m panscript`."""

from panscript.cli.main import main

if __name__ == "__main__":
    main(prog_name="panscript")
