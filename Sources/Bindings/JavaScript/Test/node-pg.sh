#!/usr/bin/env bash
# Prints a folder that contains node-pg, the PostgreSQL client of the relying party's tests: Debian's package node-pg, if
# it is installed, or else a copy of its files in .build. The package itself needs Debian's Node, which is not always
# the machine's.
set -euo pipefail
cd "$(dirname "$0")/.."

installed=/usr/share/nodejs
if [ ! -d $installed/pg ]; then
    installed=$PWD/.build/node-pg/usr/share/nodejs
    if [ ! -d "$installed/pg" ]; then
        rm -rf .build/node-pg
        mkdir -p .build/node-pg/packages
        download() { (cd .build/node-pg/packages && apt-get download -qq -o APT::Sandbox::User=root node-pg node-split2 node-xtend) >&2; }
        # A new machine has no lists of packages, or old ones.
        download || { apt-get update -qq >&2 && download; }
        for package in .build/node-pg/packages/*.deb; do dpkg-deb -x "$package" .build/node-pg; done
    fi
fi
echo "$installed"
