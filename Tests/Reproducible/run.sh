#!/usr/bin/env bash
# Whether two builds of the same commit are the same. See README.md.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'END'
usage: Tests/Reproducible/run.sh

Clones the current commit into two folders of different names, makes a clean release build of pure-attest in each, and compares
the program and the object files of every module, without what depends on the folder's name (README.md says what that is).

Exit status: 0 identical, 1 different, 2 wrong usage, tools missing or a build that fails.
END
}

fail() {
    echo "run.sh: $1" >&2
    exit 2
}

case ${1-} in
--help | -h) usage && exit 0 ;;
?*) fail "unknown argument $1; see --help" ;;
esac
for tool in swift git objcopy; do command -v $tool >/dev/null || fail "$tool is not installed"; done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commit=$(git -C "$here" rev-parse HEAD)
# Names of one length, so that nothing moves.
first=$work/one second=$work/two
for folder in "$first" "$second"; do
    git clone --quiet "$(git -C "$here" rev-parse --show-toplevel)" "$folder"
    git -C "$folder" checkout --quiet "$commit"
    (cd "$folder" && swift build -c release --product pure-attest >build.log 2>&1) || {
        tail -n 20 "$folder/build.log" >&2
        fail "the build fails"
    }
done

# The SHA-256 of each product, without what depends on the folder.
products() {
    cd "$1/.build/release"
    find . -name '*.o' -o -path ./pure-attest | LC_ALL=C sort | while read -r product; do
        objcopy --strip-debug --remove-section .swift_modhash --remove-section .note.gnu.build-id "$product" "$work/product"
        echo "$(LC_ALL=C sed "s|$1|$second|g" "$work/product" | sha256sum | cut -d ' ' -f 1) $product"
    done
}
(products "$first") >"$work/first"
(products "$second") >"$work/second"
count=$(wc -l <"$work/first")
[ "$count" -gt 100 ] && grep -q ' ./pure-attest$' "$work/first" || fail "only $count products were found"
if ! diff "$work/first" "$work/second"; then
    echo "The builds of $commit differ." >&2
    exit 1
fi
echo "pure-attest and $((count - 1)) object files of $commit are identical in both builds."
swift --version 2>/dev/null | head -n 1
