"""`python -m linkwright`: the command line."""

from linkwright.cli import main

if __name__ == "__main__":
    main()
