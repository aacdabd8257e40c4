#!/usr/bin/env bash
# Builds the WebAssembly modules and tests them in Node:
#
# - PureAttestWasm.wasm, the verifier
# - PureAttestAssertion.wasm, the verifier for assertions only
# - PureAttestExplainWasm.wasm, the verifier with reports that explain verdicts
# - PureAttestRelyingParty.wasm, the rules of the server
# - PureAttestPurchases.wasm, purchases from the App Store
#
# Fails if a shipped module exceeds its maximum size.
#
# Usage: wasm.sh [--fast] [--sizes] [--speed] [--record] | --build
#   --fast   Optimise for speed (-O). The shipped modules are optimised for size (-Osize). Both variants must pass.
#   --sizes  Also print the sizes by section, Swift module and function, for all modules except PureAttestExplainWasm.
#   --speed  Also compare the verifier's speed with Node's crypto.
#   --record Write the sizes to ../records/wasm-size.md, and with --speed the speed to ../records/wasm-speed.md. Excludes
#            --fast.
#   --build  Build only PureAttestWasm.wasm, PureAttestRelyingParty.wasm and PureAttestPurchases.wasm, and test nothing.
#   --help   Print this help.
#
# Requires Swift 6.3, node (20 or later), wasm-opt (Debian: binaryen) and python3 (the sample Worker's test uses its
# SQLite). If TypeScript's tsc (Debian: node-typescript) is installed, the script checks the types. Otherwise the last line
# says that tsc is missing; with CI=true, a missing tsc is a failure (status 2). If npm is installed, npm.sh packs and
# tests the npm package. PUREATTEST_EXTRA_VECTORS may name a directory with Wycheproof's suites and more genuine objects.
set -euo pipefail
cd "$(dirname "$0")"

scratch=.build
optimization=-Osize
sizes=
speed=
record=
build_only=
for option; do
    case $option in
        --fast) scratch=.build-fast optimization=-O ;;
        --sizes) sizes=1 ;;
        --speed) speed=1 ;;
        --record) record=1 ;;
        --build) build_only=1 ;;
        --help) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${0##*/}"; exit 0 ;;
        *) echo "wasm.sh: unknown option $option; see --help" >&2; exit 2 ;;
    esac
done
[ -z "$record$sizes" ] || [ $optimization = -Osize ] ||
    { echo "wasm.sh: --record and --sizes measure the shipped modules and exclude --fast" >&2; exit 2; }
tools="swift node wasm-opt python3"
[ "${CI:-}" != true ] || tools="$tools tsc"
for tool in $tools; do
    command -v "$tool" >/dev/null || { echo "wasm.sh: $tool is missing; see --help" >&2; exit 2; }
done

# Reasons for the options in the toolset file: The stack has four times its default size, because the search for a
# receipt's issuers is recursive. The stack is at the lowest addresses, so an overflow traps instead of overwriting
# data. Incremental code generation is off, because it would embed a hash of each object's input in the module, and the
# input includes the folder's name. SwiftPM reads a changed toolset only when it plans the build again, so the script
# touches the manifest.
touch Package.swift
built=$scratch/wasm32-unknown-none-wasm/release
# SwiftPM keeps the object of a source that was renamed or deleted, and the commands below link all objects of a module.
for object in $built/*.build/*.swift.o; do
    name=${object#"$built/"} source=${object##*/}
    [ -n "$(find "Sources/${name%%.*}" "../../${name%%.*}" -name "${source%.o}" 2>/dev/null)" ] || rm -f "$object"
done
swift build --configuration release --triple wasm32-unknown-none-wasm --toolset wasm32-toolset.json --product PureAttestWasm \
    --scratch-path $scratch -Xswiftc $optimization

python3 outlined-constants.py $built/PureAttestWasm.product/Objects.LinkFileList

# Enables the WebAssembly features that Node 18 and Workers support, and that LLVM enables by default for wasm32. wasm-opt
# repeats its passes until nothing changes, but only for the shipped modules, because this doubles the time. The other
# options reduce the gzipped size:
#
# - The debug information is removed first. A pass after -Oz would discard what -Oz gains last, in the stack code.
# - --flatten and --rereloop rebuild the control flow. The second -Oz optimises the result of the first.
# - The limit on the inlining of functions with one caller prevents functions with hundreds of locals, because the indices
#   of so many locals compress badly.
# - --low-memory-unused moves additions into the offsets of loads and stores. It presumes that no object lies below
#   address 1024. The stack ends at address 0 and grows towards it, so only a stack that is about to overflow gets there.
converge=
[ $optimization != -Osize ] || converge=--converge
optimize() {
    local input=$1 output=$2
    shift 2
    wasm-opt --strip-dwarf --strip-producers --flatten --rereloop -Oz -Oz $converge --low-memory-unused \
        --one-caller-inline-max-function-size=35 --enable-bulk-memory --enable-sign-ext --enable-mutable-globals \
        --enable-nontrapping-float-to-int "$@" "$input" -o "$output"
}
module=$scratch/PureAttestWasm.wasm
optimize $built/PureAttestWasm.wasm $module

linker=$(dirname "$(realpath "$(command -v swiftc)")")/wasm-ld
mapfile -t options < <(sed -n '/"linker"/,$s/^ *"\(-[^"]*\)",\{0,1\}$/\1/p' wasm32-toolset.json)
# Builds the relying party: the rules of the server's core. This module exports only those functions of the verifier that
# set options.
build_party() {
    swift build --configuration release --triple wasm32-unknown-none-wasm --toolset wasm32-toolset.json \
        --target RelyingPartyInterface --scratch-path $scratch -Xswiftc $optimization
    {
        cat $built/PureAttestWasm.product/Objects.LinkFileList
        ls $built/{RelyingPartyInterface,MessagesInterface,PureAttestServerMessages,PureAttestServerCore,PureKeyAttestation,PureRSA,PureSignedContent}.build/*.o
    } | sed "s|^$PWD/||" | sort -u >$scratch/RelyingParty.list
    python3 outlined-constants.py $scratch/RelyingParty.list
    mapfile -t party_options < <(printf '%s\n' "${options[@]}" | grep -Ev 'export=pure_attest_(verify_.*|sha256|self_test)$')
    link_party $party_module
}
link_party() {
    "$linker" "${party_options[@]}" --export=pure_attest_party_create --export=pure_attest_messages_{begin,answer,drop} @$scratch/RelyingParty.list "${@:2}" \
        -o $scratch/RelyingParty.wasm
    optimize $scratch/RelyingParty.wasm "$1"
}
party_module=$scratch/PureAttestRelyingParty.wasm
# Builds purchases: the verification of App Store data, and the assignment of purchases to keys. This module exports none
# of the verifier's functions.
build_purchases() {
    swift build --configuration release --triple wasm32-unknown-none-wasm --toolset wasm32-toolset.json \
        --target PurchasesInterface --scratch-path $scratch -Xswiftc $optimization
    {
        cat $scratch/RelyingParty.list
        ls $built/{PurchasesInterface,PureAttestPurchasesMessages,PureAttestPurchasesCore,PureAppStore,PureJWS,PureJSON,PureX509Paths}.build/*.o
    } | sed "s|^$PWD/||" | sort -u >$scratch/Purchases.list
    python3 outlined-constants.py $scratch/Purchases.list
    mapfile -t purchases_options < <(printf '%s\n' "${options[@]}" | grep -Ev 'export=pure_attest_(verif.*|sha256|self_test)$')
    link_purchases $purchases_module
}
link_purchases() {
    "$linker" "${purchases_options[@]}" --export=pure_attest_purchases_create --export=pure_attest_messages_{begin,answer,drop} @$scratch/Purchases.list "${@:2}" \
        -o $scratch/Purchases.wasm
    optimize $scratch/Purchases.wasm "$1"
}
purchases_module=$scratch/PureAttestPurchases.wasm
if [ -n "$build_only" ]; then
    build_party
    build_purchases
    exit 0
fi
# Prints the list of sizes, from a module that keeps the function names.
list_sizes() {
    [ -n "$sizes" ] || return 0
    optimize "$1" $scratch/Named.wasm --debuginfo
    ./module-size.py $scratch/Named.wasm
}
list_sizes $built/PureAttestWasm.wasm

# Links the test module from the same objects, with an additional export that trusts test roots. Only code in the
# verifier's own package may trust test roots. Therefore the file with the export is compiled with the same package name
# that SwiftPM uses.
compile_for_tests() {
    local package
    package=$(grep -o '"-module-name","PureAttest",.*' $scratch/release.yaml | grep -o '"-package-name","[^"]*"' | head -n 1 | cut -d '"' -f 4)
    swiftc -target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -wmo $optimization -swift-version 6 \
        -parse-as-library -strict-memory-safety -warnings-as-errors -Xfrontend -disable-stack-protector -package-name "$package" \
        -I $built/Modules -module-name "$1" -c "Test/$1.swift" -o "$scratch/$1.o"
}
compile_for_tests TestRoots
"$linker" "${options[@]}" --export=pure_attest_test_trust_roots @$built/PureAttestWasm.product/Objects.LinkFileList \
    $scratch/TestRoots.o -o $scratch/TestRoots.wasm
test_module=$scratch/PureAttestTestWasm.wasm
optimize $scratch/TestRoots.wasm $test_module

# Links the explaining module from the same objects, with more exports. It is a separate module, so that the verifying
# modules stay small.
explaining=(--export=pure_attest_explain_attestation --export=pure_attest_explain_assertion --export=pure_attest_explain_receipt)
link_explaining() {
    "$linker" "${options[@]}" "${explaining[@]}" @$built/PureAttestWasm.product/Objects.LinkFileList "${@:2}" -o $scratch/Explain.wasm
    optimize $scratch/Explain.wasm "$1"
}
explain_module=$scratch/PureAttestExplainWasm.wasm
link_explaining $explain_module
explain_test_module=$scratch/PureAttestExplainTestWasm.wasm
link_explaining $explain_test_module --export=pure_attest_test_trust_roots $scratch/TestRoots.o

# Links the assertion module from the same objects, with fewer exports. The linker then drops the code that only
# certificates need.
mapfile -t assertion_options < <(printf '%s\n' "${options[@]}" | grep -Ev 'export=pure_attest_(verify_(attestation|receipt|p384)|self_test)$')
"$linker" "${assertion_options[@]}" --export=pure_attest_self_test_assertions @$built/PureAttestWasm.product/Objects.LinkFileList -o $scratch/Assertion.wasm
assertion_module=$scratch/PureAttestAssertion.wasm
optimize $scratch/Assertion.wasm $assertion_module
list_sizes $scratch/Assertion.wasm

# --fast affects only the verifier. The relying party and purchases, which only pass messages, are tested as shipped.
party_test_module=$scratch/PureAttestRelyingPartyTest.wasm
purchases_test_module=$scratch/PureAttestPurchasesTest.wasm
if [ $optimization = -Osize ]; then
    build_party
    list_sizes $scratch/RelyingParty.wasm
    link_party $party_test_module --export=pure_attest_test_trust_roots $scratch/TestRoots.o
    build_purchases
    list_sizes $scratch/Purchases.wasm
    compile_for_tests TestAppStore
    link_purchases $purchases_test_module --export=pure_attest_test_purchases_create $scratch/TestAppStore.o
fi

# Builds Android key attestation and RSA separately, because no shipped module contains them.
swift build --configuration release --triple wasm32-unknown-none-wasm --toolset wasm32-toolset.json --target AndroidInterface \
    --scratch-path $scratch -Xswiftc $optimization
ls $built/{AndroidInterface,PureKeyAttestation,PureSignedContent,PureX509,PureECDSA,PureCBOR,PureRSA,PureSHA2,PureDER,PureBytes,Runtime}.build/*.o \
    >$scratch/Android.list
python3 outlined-constants.py $scratch/Android.list
mapfile -t android_options < <(printf '%s\n' "${options[@]}" | grep -v '^--export=')
"$linker" "${android_options[@]}" --export=pure_android_allocate --export=pure_rsa_verify --export=pure_key_attestation_verify \
    @$scratch/Android.list -o $scratch/Android.wasm
android_module=$scratch/PureAndroidWasm.wasm
optimize $scratch/Android.wasm $android_module

swift build --package-path ../../.. --configuration release --product pure-attest
attest=$(swift build --package-path ../../.. --configuration release --show-bin-path)/pure-attest

corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
"$attest" simulate corpus --seed 1 --out "$corpus"

worker=../../Apps/Worker
passed=
run() {
    local lines
    lines=$(node "$@")
    echo "$lines"
    passed="$passed; $(tail -n 1 <<<"$lines")"
}
run Test/assertions.mjs $assertion_module $module ../../../Vectors
run Test/module.mjs $module ../../../Vectors ${PUREATTEST_EXTRA_VECTORS:+"$PUREATTEST_EXTRA_VECTORS"}
run Test/self-test.mjs $module $assertion_module
run Test/inputs.mjs $module ../../../Vectors
run Test/policies.mjs $module
run Test/corpus.mjs $test_module $assertion_module "$corpus"
run Test/android.mjs $android_module ../../../Vectors
if [ $optimization = -Osize ]; then
    run Test/explain.mjs $explain_test_module "$corpus" "$attest" ../../../Vectors
    run ../JavaScript/Test/scripts.mjs
    run ../JavaScript/Test/decisions.mjs $party_test_module ../../../Vectors/decisions/decisions.json
    for part in worker worker-inputs worker-schema worker-requests worker-limits worker-uniform worker-receipts worker-budget worker-generate worker-prompts; do
        run $worker/Test/$part.mjs $party_test_module "$attest"
    done
    run $worker/Test/worker-purchases.mjs $party_test_module "$attest" $purchases_test_module
fi
if [ -n "$speed" ]; then
    speeds=$(node Test/speed.mjs $module ../../../Vectors)
    echo "$speeds"
    [ -z "$record" ] || ../../../Benchmarks/record.sh ../records/wasm-speed.md "Speed of PureAttestWasm.wasm in Node $(node --version)" \
        "Sources/Bindings/Wasm/wasm.sh --speed --record" <<<"$speeds"
fi

if command -v tsc >/dev/null; then
    tsc --noEmit --strict --target es2022 --module node16 --lib es2022,dom ../JavaScript/Test/types.mts ../JavaScript/Test/explain-types.mts
    passed="$passed; types checked by tsc $(tsc --version | cut -d ' ' -f 2)"
else
    passed="$passed; types not checked: no tsc"
fi

# The npm package contains only the modules that are optimised for size.
if [ $optimization != -Osize ]; then
    :
elif command -v npm >/dev/null; then
    packed=$(../JavaScript/npm.sh "$PWD/$scratch" "$attest")
    echo "$packed"
    passed="$passed; npm package tested"
else
    passed="$passed; npm package not tested: no npm"
fi

if [ -n "$record" ]; then
    for name in PureAttestWasm PureAttestAssertion PureAttestExplainWasm PureAttestRelyingParty PureAttestPurchases; do
        echo "$name.wasm: $(wc -c <$scratch/$name.wasm) bytes, $(gzip -9 -c $scratch/$name.wasm | wc -c) gzipped"
    done | ../../../Benchmarks/record.sh ../records/wasm-size.md "Sizes of the WebAssembly modules" "Sources/Bindings/Wasm/wasm.sh --record"
fi
# The maximum gzipped sizes of the shipped modules: 130 KB for the relying party, and about 3 % above
# ../records/wasm-size.md for the others.
declare -A maximum=(
    [PureAttestWasm]=87800 [PureAttestAssertion]=36500 [PureAttestExplainWasm]=122200
    [PureAttestRelyingParty]=130000 [PureAttestPurchases]=100700
)
if [ $optimization = -Osize ]; then
    for name in "${!maximum[@]}"; do
        gzipped=$(gzip -9 -c $scratch/$name.wasm | wc -c)
        [ "$gzipped" -le "${maximum[$name]}" ] ||
            { echo "wasm.sh: $name.wasm has $gzipped bytes gzipped; the maximum is ${maximum[$name]}" >&2; exit 1; }
    done
fi
size() { [ ! -f "$1" ] && echo "not built" || echo "$(wc -c <"$1") bytes, $(gzip -9 -c "$1" | wc -c) gzipped"; }
echo "Built PureAttestWasm.wasm ($(size $module)), PureAttestAssertion.wasm ($(size $assertion_module)), PureAttestExplainWasm.wasm ($(size $explain_module)), PureAttestRelyingParty.wasm ($(size $party_module)) and PureAttestPurchases.wasm ($(size $purchases_module)) without imports ($optimization); in Node $(node --version)$passed"
