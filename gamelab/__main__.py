"""`python -m gamelab` is the command `gamelab`."""

from gamelab.cli import main

main()
