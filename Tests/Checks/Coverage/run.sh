#!/usr/bin/env bash
# Runs the tests of the library modules with coverage, and prints the share of each module that the tests reach:
#   run.sh             writes summary.md; fails if a region is neither reached nor explained in uncovered.toml, or an
#                      explanation is stale
#   run.sh --list      also prints the location of every region that the tests do not reach
#   run.sh --no-run    runs no tests, and evaluates the data of the last run
#   run.sh --json      prints the table as JSON
#   run.sh --check     runs no tests; checks that the sources still contain every region that uncovered.toml explains
# Keeps its build in .build-coverage. A run takes minutes, so the continuous integration uses --check.
# Exit status: 0 if there are no errors, 1 if there are errors, 2 if the check could not run.
# Needs swift and Python 3.11.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$root/.build-coverage
# The last four suites test behaviour that several modules share: compatibility with CryptoKit, policies, faults, limits and reports.
suites='PureBytes|PureSHA2|PureDER|PureCBOR|PureJSON|PureRSA|PureECDSA|PureX509|PureX509Paths|PureJWS|PureSignedContent|PureAttest|PureKeyAttestation|PureAppStore|PureAttestPurchases|CryptoKitHabits|PureAttestTesting|PureKeyAttestationTesting|VectorSupport'

options=()
run=1
check=0
for argument in "$@"; do
    case $argument in
    --help | -h)
        sed -n '2,11s/^# \{0,1\}//p' "$0"
        exit 0
        ;;
    --no-run) run=0 ;;
    --check) check=1 ;;
    --list | --json) options+=("$argument") ;;
    *)
        echo "run.sh: unknown option $argument; --help lists them" >&2
        exit 2
        ;;
    esac
done
. "$here/../python.sh"
[ "$check" = 0 ] || exec "$python" "$here/coverage.py" --check
cov=$(dirname "$(readlink -f "$(command -v swift)")")/llvm-cov
if [ ! -x "$cov" ]; then
    cov=$(command -v llvm-cov) || { echo "run.sh: llvm-cov is missing: neither beside swift nor in PATH" >&2 && exit 2; }
fi
if [ "${PUREATTEST_EXTRA_VECTORS:-}" = "" ]; then
    echo "PUREATTEST_EXTRA_VECTORS is not set, so its suites do not run and may leave more regions uncovered" >&2
fi

cd "$root"
if [ "$run" = 1 ]; then
    mkdir -p "$build"
    # The build is optimised, because the RSA cases would take hours in a debug build. It keeps assertions. The tests run one at a time, because concurrent
    # tests would contend for the coverage counters.
    if ! swift test --no-parallel -c release -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug --scratch-path "$build" --enable-code-coverage \
        --filter "^($suites)Tests" >"$build/tests.log" 2>&1; then
        grep -E '✘|error:' "$build/tests.log" | head -n 20 >&2 || tail -n 20 "$build/tests.log" >&2
        echo "run.sh: the tests failed; $build/tests.log has their output" >&2
        exit 1
    fi
fi
if [ ! -d "$build" ]; then
    echo "run.sh: found no data from an earlier run" >&2
    exit 2
fi
binary=$(find "$build" -path '*release/PureAttestPackageTests.xctest' -not -path '*/release.build/*' | head -n 1)
profile=$(find "$build" -name default.profdata | head -n 1)
if [ -z "$binary" ] || [ -z "$profile" ]; then
    echo "run.sh: found no data from an earlier run" >&2
    exit 2
fi
"$cov" export --instr-profile "$profile" "$binary" "$root/Sources" >"$build/coverage.json"
exec "$python" "$here/coverage.py" "$build/coverage.json" ${options[@]+"${options[@]}"}
