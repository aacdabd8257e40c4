#!/usr/bin/env bash
# Writes a record of a run: a header with the command, date, commit and machine, then the text from standard input.
#
# Usage: record.sh FILE TITLE COMMAND < FIGURES
#   FILE      The file to write. The record replaces an earlier record, which git keeps.
#   TITLE     The heading of the record.
#   COMMAND   The command that prints these figures.
#   --help    Print this help.
#
# Other scripts of this repository call this script if their option --record is given.
set -euo pipefail
case ${1-} in
    --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0"; exit 0 ;;
esac
[ $# -eq 3 ] || { echo "record.sh: takes a file, a title and a command; see --help" >&2; exit 2; }
figures=$(cat)
[ -n "$figures" ] || { echo "record.sh: no figures on standard input" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
# A plus sign after the commit means that the working tree had uncommitted changes.
commit=$(git -C "$root" describe --always --abbrev=12 --exclude='*' --dirty=+)
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
mkdir -p "$(dirname "$1")"
{
    printf '# %s\n\nWritten by `%s`, on %s.\n\n' "$2" "$3" "$(date -u +%Y-%m-%d)"
    printf -- '- commit: %s\n' "$commit"
    printf -- '- toolchain: %s\n' "$(swift --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p' | head -n 1)"
    printf -- '- machine: %s, %s processors, %s\n' "$(uname -m)" "$(getconf _NPROCESSORS_ONLN)" "${processor:-processor unknown}"
    printf -- '- other work: load %s in the minute before\n\n```\n%s\n```\n' "$(uptime | sed 's/.*load averages*: *\([0-9.]*\).*/\1/')" "$figures"
} >"$1"
echo "Recorded in $1"
