#!/usr/bin/env bash
# Tries a Debian package as a customer would on a fresh system: a root file system made by debootstrap, without SDK or anything else; installs, runs, removes,
# and says what is left behind. Needs root and a Debian mirror. Ends with "ok".
#
#   tools/package/try-deb.sh PACKAGE.deb [SUITE]
set -euo pipefail
package=$(realpath "$1")
suite=${2:-bookworm}
tree=$(mktemp -d)
notes=$(mktemp -d)
trap 'rm -rf "$tree" "$notes"' EXIT
debootstrap --variant=minbase "$suite" "$tree" >"$notes/debootstrap" 2>&1 || { cat "$notes/debootstrap" >&2; exit 1; }
cp "$package" "$tree/tmp/tcpdiag.deb"
run() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$tree" "$@"; }

# what the file system holds, but the records of dpkg itself
listing() { (cd "$tree" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./tmp \) -prune -o -print | sort); }

listing >"$notes/before"
run dpkg -i /tmp/tcpdiag.deb
run tcpdiag --version
run tcpdiag demo --recorded | head -8
run tcpdiag analyze /usr/lib/tcpdiag/demo.pcapng --json | grep -q '"schema": *"tcpdiag/analysis/1"'
[ -z "$(run dpkg --verify tcpdiag)" ] || { echo "try-deb.sh: files differ from the package" >&2; exit 1; }
run dpkg --purge tcpdiag
listing >"$notes/after"
diff "$notes/before" "$notes/after" || { echo "try-deb.sh: the package left something behind" >&2; exit 1; }
echo ok
