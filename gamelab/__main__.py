"""`python -m gamelab` is the command `gamelab`."""

from gamelab.cli import main

if __name__ == "__main__":
    main()
