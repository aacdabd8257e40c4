#!/usr/bin/env bash
# Prints the path of a folder that contains node-pg, the PostgreSQL client of the relying party's tests. Uses Debian's
# package node-pg if it is installed. Otherwise unpacks the package's files to .build, because installing the package
# would require Debian's Node, and the machine may use a different Node.
set -euo pipefail
cd "$(dirname "$0")/.."

installed=/usr/share/nodejs
if [ ! -d $installed/pg ]; then
    installed=$PWD/.build/node-pg/usr/share/nodejs
    if [ ! -d "$installed/pg" ]; then
        rm -rf .build/node-pg
        mkdir -p .build/node-pg/packages
        download() { (cd .build/node-pg/packages && apt-get download -qq -o APT::Sandbox::User=root node-pg node-split2 node-xtend) >&2; }
        # On a new machine, the package lists may be missing or outdated.
        download || { apt-get update -qq >&2 && download; }
        for package in .build/node-pg/packages/*.deb; do dpkg-deb -x "$package" .build/node-pg; done
    fi
fi
echo "$installed"
