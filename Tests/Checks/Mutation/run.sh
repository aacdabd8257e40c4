#!/usr/bin/env bash
# Changes one rule at a time (drops a check, flips a comparison, changes a constant by one, removes a statement …). The package's tests must detect each change.
# Covers PureDER, PureCBOR, PureX509, PureX509Paths, PureSignedContent, PureAttest, PureRSA, PureKeyAttestation, PureAttestServerCore, PureAttestPurchasesCore,
# PureJSON, PureJWS and PureAppStore.
#   run.sh --all                    every mutant; writes results.txt and summary.md
#   run.sh --sample N [--seed S]    N random mutants of one module, first those without a stored result
#   run.sh --module PureDER         the mutants of one module
#   run.sh --only TEXT              the mutants whose names contain TEXT
#   run.sh --resume                 after an interruption or change: the mutants that have no result, are in changed
#                                   functions, or survived without a reason
#   run.sh --survivors              the mutants that survived the last time
#   run.sh --check                  only checks that results.txt and survivors.toml match the sources
#   run.sh --help                   all options
# An environment variable selects the mutant, so one build can contain many mutants. There are separate builds for App Attest's modules
# (.build-mutation), Android (.build-mutation-1), the server (-2) and purchases (-3), each with all mutants of its modules. A sample
# covers one module, and has its own build (.build-mutation-sample). All builds are kept. Exit status: 0 if every mutant was killed or
# has a reason in survivors.toml, 1 if not, 2 if the tests could not run. Needs swift and Python 3.11.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../python.sh"
exec "$python" "$here/mutation.py" "$@"
