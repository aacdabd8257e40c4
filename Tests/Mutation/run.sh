#!/usr/bin/env bash
# Changes one rule of PureDER, PureCBOR, PureX509, PureX509Paths, PureSignedContent, PureAttest, PureRSA or PureKeyAttestation at a time (a check dropped, a comparison
# flipped, a constant one off, a statement removed …) and wants the package's tests to notice:
#   Tests/Mutation/run.sh --all                    every mutant; writes results.txt and summary.md
#   Tests/Mutation/run.sh --sample N [--seed S]    N of them: are they killed as results.txt says? Those that it does not know come first
#   Tests/Mutation/run.sh --module PureDER         the mutants of one module
#   Tests/Mutation/run.sh --only TEXT              the mutants whose name has TEXT in it
#   Tests/Mutation/run.sh --resume                 those that results.txt does not have, whose function has changed since, or that survived
#                                                  without a reason: what is left after an interruption or a change
#   Tests/Mutation/run.sh --survivors              those that survived the last time
#   Tests/Mutation/run.sh --check                  runs nothing: are results.txt and survivors.toml those of these sources?
#   Tests/Mutation/run.sh --help                   all options
# All mutants of App Attest's modules are in one build, those of Android's in another, each behind a switch that an environment variable
# turns on; they are made in .build-mutation and .build-mutation-1, and kept. A sample is of one of the two, and has a build of its own,
# .build-mutation-sample.
# Exit status: 0 if every mutant was killed or has a reason in survivors.toml, 1 if not, 2 if it could not be run.
# Needs swift and Python 3.11.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
if ! "$python" -c 'import tomllib' 2>/dev/null; then
    echo "run.sh: $python is older than Python 3.11; PYTHON names another" >&2
    exit 2
fi
exec "$python" "$here/mutation.py" "$@"
