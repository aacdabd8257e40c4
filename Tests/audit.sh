#!/usr/bin/env bash
# Runs every check of the package, those included that are too long for each change (hours on two cores):
#   Tests/audit.sh           all of them; goes on after a failure, and says at the end what passed and what did not
#   Tests/audit.sh --short   the long ones as samples
# Set PUREATTEST_EXTRA_VECTORS to the folder of the suites that the package may not hold (Vectors/README.md), or they do not run.
# Exit status: 0 if all passed, 1 if not, 2 if it could not be run. Needs what .ci/run needs: swift, Python 3.11, valgrind, Node.
set -euo pipefail
cd "$(dirname "$0")/.."

long=1
case ${1:-} in
'') ;;
--short) long=0 ;;
--help | -h)
    sed -n '2,7s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
*)
    echo "audit.sh: unknown option $1; --help lists them" >&2
    exit 2
    ;;
esac
for tool in swift python3 valgrind; do
    command -v "$tool" >/dev/null || { echo "audit.sh: there is no $tool" >&2 && exit 2; }
done
[ -n "${PUREATTEST_EXTRA_VECTORS:-}" ] || echo "PUREATTEST_EXTRA_VECTORS is not set: the suites that need it do not run"

passed=()
failed=()
check() { # name, command …
    local name=$1
    shift
    echo "=== $name: $*"
    if "$@"; then passed+=("$name"); else failed+=("$name"); fi
}

check "Tests" swift test
check "Tests, optimised" swift test -c release --traits HardwareSHA -Xswiftc -enable-testing --scratch-path .build-release-tests
check "SHA-2 with and without SHA extensions" Tests/HardwareSHA/run.sh
check "Generated tables" swift run generate-tables --check
check "Self-test" swift run -c release pure-attest self-test
check "Rules, functions and tests" Tests/Traceability/run.sh
check "Constant time" Tests/ConstantTime/run.sh
check "Coverage" Tests/Coverage/run.sh
check "Parsing is linear" Tests/Complexity/count.py
check "Fuzzing" Tests/Fuzzing/run.sh
if [ "$long" = 1 ]; then
    check "Proofs, every mutant" Tests/Proofs/run.sh --mutants all
    check "Mutants of the rules" Tests/Mutation/run.sh --all
else
    check "Proofs, a sample of mutants" Tests/Proofs/run.sh --mutants 100
    check "Mutants of the rules, a sample" Tests/Mutation/run.sh --sample 100
fi
check "Reproducible build" Tests/Reproducible/run.sh

[ -n "${PUREATTEST_EXTRA_VECTORS:-}" ] || echo "=== not run: the suites that PUREATTEST_EXTRA_VECTORS names"
echo "=== passed: ${#passed[@]}"
[ "${#passed[@]}" = 0 ] || printf '    %s\n' "${passed[@]}"
if [ "${#failed[@]}" -gt 0 ]; then
    echo "=== failed: ${#failed[@]}"
    printf '    %s\n' "${failed[@]}"
    exit 1
fi
