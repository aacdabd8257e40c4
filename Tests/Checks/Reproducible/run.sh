#!/usr/bin/env bash
# Compares two builds of the same commit. See README.md.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    cat <<'END'
usage: Tests/Checks/Reproducible/run.sh [--program] [--static] [--wasm] [--all]

Clones the current commit into two folders of different names, makes clean release builds in each, and compares them, without what
depends on the folder's name (README.md says what that is).

  --program  pure-attest and the object files of every module; what is compared if no option is given
  --static   pure-attest with Swift's libraries inside
  --wasm     PureAttestWasm.wasm, whole
  --all      all three

Exit status: 0 identical, 1 different, 2 wrong usage, tools missing or a build that fails.
END
}

fail() {
    echo "run.sh: $1" >&2
    exit 2
}

program=false static=false wasm=false
[ $# -gt 0 ] || program=true
for option; do
    case $option in
    --help | -h) usage && exit 0 ;;
    --program) program=true ;;
    --static) static=true ;;
    --wasm) wasm=true ;;
    --all) program=true static=true wasm=true ;;
    *) fail "unknown argument $option; see --help" ;;
    esac
done
for tool in swift git objcopy; do command -v $tool >/dev/null || fail "$tool is not installed"; done
! $wasm || command -v wasm-opt >/dev/null || fail "wasm-opt is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
commit=$(git -C "$here" rev-parse HEAD)
# Both names have the same length, because a longer name would move the data after the name.
first=$work/one second=$work/two
build() { # folder, command …
    (cd "$1" && "${@:2}" >build.log 2>&1) || {
        tail -n 20 "$1/build.log" >&2
        fail "the build failed"
    }
}
for folder in "$first" "$second"; do
    git clone --quiet "$(git -C "$here" rev-parse --show-toplevel)" "$folder"
    git -C "$folder" checkout --quiet "$commit"
    ! $program || build "$folder" swift build -c release --product pure-attest
    ! $static || build "$folder" swift build -c release --static-swift-stdlib --scratch-path .build-static --product pure-attest -Xlinker -s
    ! $wasm || build "$folder" Sources/Bindings/Wasm/wasm.sh --build
done

# Prints the name of an ELF file, and the SHA-256 of the file without the parts that depend on the folder.
digest() { # folder, file
    objcopy --strip-debug --remove-section .swift_modhash --remove-section .note.gnu.build-id "$2" "$work/product" ||
        fail "objcopy failed on $2"
    LC_ALL=C sed "s|$1|$second|g" "$work/product" | sha256sum | sed "s|-$|$2|"
}
products() { # folder
    local product
    cd "$1"
    if $program; then
        find .build/release/ -name '*.o' -o -path .build/release/pure-attest | LC_ALL=C sort | while read -r product; do
            digest "$1" "$product"
        done
    fi
    ! $static || digest "$1" .build-static/release/pure-attest
    ! $wasm || sha256sum Sources/Bindings/Wasm/.build/PureAttestWasm.wasm
}
(products "$first") >"$work/first"
(products "$second") >"$work/second"
count=$(wc -l <"$work/first")
if $program; then
    [ "$count" -gt 100 ] && grep -q ' .build/release/pure-attest$' "$work/first" || fail "found only $count products"
fi
if ! diff "$work/first" "$work/second"; then
    echo "The builds of $commit differ." >&2
    exit 1
fi
! $program || echo "pure-attest and $(grep -c '\.o$' "$work/first") object files of $commit are identical in both builds."
! $static || echo "The static pure-attest of $commit is identical in both builds."
! $wasm || echo "PureAttestWasm.wasm of $commit is identical in both builds: SHA-256 $(sed -n 's/ .*PureAttestWasm.wasm//p' "$work/first")"
swift --version 2>/dev/null | head -n 1
