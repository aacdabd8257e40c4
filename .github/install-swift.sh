#!/usr/bin/env bash
# Installs Swift and Swift SDKs in a Debian 12 container, for the hosted workflows. No local check runs this script,
# because it downloads from download.swift.org.
#   .github/install-swift.sh [wasm|static-linux|android ...]
# Run the script as root. It installs only archives that are signed with Swift's release key.
set -euo pipefail
release=6.3.1
# The fingerprint of the release key, from the official Dockerfiles (ARG SWIFT_SIGNING_KEY).
key=52BB7E3DE28A71BE22EC05FFEF80A866B47A981F

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# The packages in Swift's official Dockerfile for Debian 12, and the packages that `Tests/check quick` needs.
apt-get install -y -qq --no-install-recommends binutils-gold ca-certificates curl gcc git gnupg libcurl4-openssl-dev libedit-dev \
    libncurses-dev libpython3-dev libsqlite3-dev libstdc++-12-dev libxml2-dev pkg-config python3 python3-pip tzdata unzip uuid-dev

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GNUPGHOME=$work/keys
mkdir -m 700 "$GNUPGHOME"
curl --fail --silent --show-error --location --proto '=https' https://www.swift.org/keys/all-keys.asc | gpg --quiet --import

fetch() {  # folder, file: leaves the file in $work if its signature is the release key's
    local address=https://download.swift.org/swift-$release-release/$1/swift-$release-RELEASE/$2
    curl --fail --silent --show-error --location --proto '=https' --retry 3 --remote-name-all --output-dir "$work" "$address" "$address.sig"
    gpg --status-fd 1 --verify "$work/$2.sig" "$work/$2" | grep -Eq "^\[GNUPG:\] VALIDSIG ([0-9A-F]{40} .* )?$key\$" || {
        echo "install-swift.sh: $2 is not signed by $key" >&2
        exit 1
    }
}

case $(uname -m) in
    x86_64) suffix= ;;
    aarch64) suffix=-aarch64 ;;
    *) echo "install-swift.sh: no Swift for $(uname -m)" >&2; exit 1 ;;
esac
toolchain=swift-$release-RELEASE-debian12$suffix.tar.gz
fetch "debian12$suffix" "$toolchain"
mkdir -p /opt/swift
tar -xzf "$work/$toolchain" -C /opt/swift --strip-components 1
export PATH=/opt/swift/usr/bin:$PATH
[ -z "${GITHUB_PATH:-}" ] || echo /opt/swift/usr/bin >>"$GITHUB_PATH"
swift --version

for sdk; do
    case $sdk in
        wasm | android) folder=$sdk-sdk bundle=swift-$release-RELEASE_$sdk.artifactbundle.tar.gz ;;
        static-linux) folder=static-sdk bundle=swift-$release-RELEASE_static-linux-0.1.0.artifactbundle.tar.gz ;;
        *) echo "install-swift.sh: there is no SDK $sdk" >&2; exit 2 ;;
    esac
    fetch "$folder" "$bundle"
    swift sdk install "$work/$bundle"
done
