import sys

from proofs.command import main

sys.exit(main(sys.argv[1:]))
