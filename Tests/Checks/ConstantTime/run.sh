#!/usr/bin/env bash
# Checks that comparison, HMAC and SHA-2 have no branches and addresses that depend on secrets, in the release build.
# valgrind's memcheck follows secrets (see Sources/probe/main.swift); it must report the controls, which have such a dependence.
# Then gate.py looks for such branches, and for others that cost time, in the compiled code. Needs valgrind and Python 3.
set -euo pipefail
cd "$(dirname "$0")"

swift build -c release
probe=$(swift build -c release --show-bin-path)/probe

failures=0
report() { # outcome, name
    printf '%-10s %s\n' "$1" "$2"
    [ "$1" = ok ] || failures=$((failures + 1))
}

# 99: memcheck has reported a use. Any other status but 0 is a crash.
watch() {
    local status=0
    valgrind --quiet --suppressions=memcheck.supp --error-exitcode=99 "$probe" "$1" >/dev/null 2>&1 || status=$?
    echo "$status"
}

for name in constantTimeEquals digest-equality SHA256 SHA384 SHA512 HMAC-SHA256 HMAC-SHA384 HMAC-SHA512; do
    case $(watch "$name") in
    0) report ok "$name: no branch and no address depends on a secret" ;;
    99) report LEAKS "$name" && valgrind --quiet --suppressions=memcheck.supp "$probe" "$name" 2>&1 | head -n 20 ;;
    *) report CRASHED "$name" ;;
    esac
done
for name in control-comparison control-address control-through-SHA256 control-through-HMAC control-result; do
    case $(watch "$name") in
    99) report ok "$name: reported, as it must be" ;;
    *) report MISSED "$name" ;;
    esac
done

compiled=$(mktemp -d)
trap 'rm -rf "$compiled"' EXIT
./emit.sh "$compiled"
"${PYTHON:-python3}" gate.py "$compiled" || failures=$((failures + 1))
[ "$failures" = 0 ]
