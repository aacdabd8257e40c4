#!/usr/bin/env bash
# Checks that no branch or address in comparisons, HMAC and SHA-2 depends on secrets (release build). valgrind's
# memcheck tracks secrets (see Sources/probe/main.swift). memcheck must also report the controls, which do depend on
# secrets. Then gate.py checks the compiled code. Needs valgrind and Python 3.
set -euo pipefail
cd "$(dirname "$0")"

swift build -c release
probe=$(swift build -c release --show-bin-path)/probe

failures=0
report() { # outcome, name
    printf '%-10s %s\n' "$1" "$2"
    [ "$1" = ok ] || failures=$((failures + 1))
}

# Prints valgrind's exit status: 99 if memcheck reported a dependence on a secret, 0 if not. Any other status is a crash.
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
