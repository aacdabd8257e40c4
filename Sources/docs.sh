#!/usr/bin/env bash
# Renders the documentation of every module that is a product as one static site. A warning of DocC (a link that leads nowhere, a
# parameter without a word about it) is an error.
#
# Usage: docs.sh [FOLDER]
#   FOLDER   Where the site goes; .build-docs/site in the package's folder unless told. It is made anew.
#   --help   Print this help.
#
# Needs Swift 6.3 with docc, which its toolchain has. Modules are read from .build as the last debug build left them, and built if
# there are none. To look at the site: python3 -m http.server --directory FOLDER, then http://localhost:8000/documentation/.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)

case ${1-} in
    --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$here/Sources/docs.sh"; exit 0 ;;
    -*) echo "docs.sh: unknown option $1; see --help" >&2; exit 2 ;;
esac
[ $# -le 1 ] || { echo "docs.sh: one folder at most; see --help" >&2; exit 2; }
for tool in swift docc swift-symbolgraph-extract; do
    command -v "$tool" >/dev/null || { echo "docs.sh: $tool is missing; see --help" >&2; exit 2; }
done
mkdir -p "${1:-$here/.build-docs}"
site=$(cd "${1:-$here/.build-docs}" && pwd)
[ -n "${1-}" ] || site=$site/site
cd "$here"

# In the order of the layers: a link to another module's symbol leads into an archive that is there already.
modules="PureBytes PureSHA2 PureDER PureCBOR PureECDSA PureSignedContent PureRSA PureX509 PureAttest PureKeyAttestation PureAttestFoundation PureAttestTesting PureKeyAttestationTesting PureAttestServer PureAttestStoreTesting"
products=$(sed -n 's/.*\.library(name: "\([A-Za-z0-9]*\)".*/\1/p' Package.swift | sort)
[ "$(tr ' ' '\n' <<<"$modules" | sort)" = "$products" ] ||
    { echo "docs.sh: the modules are not the products of Package.swift" >&2; exit 1; }

built=$(swift build --show-bin-path)/Modules
for module in $modules; do
    [ -e "$built/$module.swiftmodule" ] || { swift build; break; }
done
target=$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple" *: *"\([^"]*\)".*/\1/p' | head -n 1)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
archives=()
for module in $modules; do
    mkdir -p "$work/graphs/$module"
    swift-symbolgraph-extract -module-name "$module" -I "$built" -target "$target" -minimum-access-level public \
        -skip-synthesized-members -emit-extension-block-symbols -output-dir "$work/graphs/$module"
    # Extensions of other modules' types are symbols of theirs.
    dependencies=()
    for archive in ${archives[@]+"${archives[@]}"}; do dependencies+=(--dependency "$archive"); done
    catalog="Sources/$module/$module.docc"
    [ -d "$catalog" ] || catalog=
    docc convert ${catalog:+"$catalog"} --additional-symbol-graph-dir "$work/graphs/$module" --fallback-display-name "$module" \
        --fallback-bundle-identifier "$module" --enable-experimental-external-link-support \
        ${dependencies[@]+"${dependencies[@]}"} --warnings-as-errors --output-dir "$work/$module.doccarchive"
    archives+=("$work/$module.doccarchive")
done
rm -rf "$site"
docc merge "${archives[@]}" --synthesized-landing-page-name PureAttest --synthesized-landing-page-kind Package --output-path "$site"
echo "${#archives[@]} modules, $(find "$site/data" -name '*.json' | wc -l) pages: $site"
