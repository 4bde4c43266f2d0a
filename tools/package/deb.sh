#!/usr/bin/env bash
# Makes a Debian package of the native program: the program and what lies beside it in /usr/lib/tcpdiag, a link to it in /usr/bin, man pages, completions.
# It has no scripts that run as root, and writes nothing anywhere: removing it leaves nothing behind.
#
#   tools/package/deb.sh PUBLISHED VERSION OUT
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
published=$(cd "$1" && pwd)
version=$2
out=$3
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || echo 0)}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
chmod 755 "$tree"
program=$published/tcpdiag
share=$tree/usr/share

install -d "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/lib/tcpdiag" "$share/doc/tcpdiag" "$share/bash-completion/completions" \
  "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
cp -r "$published/." "$tree/usr/lib/tcpdiag"
rm -rf "$tree/usr/lib/tcpdiag/windivert" "$tree/usr/lib/tcpdiag"/{LICENSE.txt,THIRD-PARTY-NOTICES.txt} # the driver is for Windows; licences are in copyright
ln -s ../lib/tcpdiag/tcpdiag "$tree/usr/bin/tcpdiag"

"$program" help --man "$share/man/man1"
gzip -9n "$share/man/man1"/*
"$program" completion bash >"$share/bash-completion/completions/tcpdiag"
"$program" completion zsh >"$share/zsh/vendor-completions/_tcpdiag"
"$program" completion fish >"$share/fish/vendor_completions.d/tcpdiag.fish"
{ cat "$root/LICENSE"; echo; python3 "$root/tools/package/components.py" "$root" notices; } >"$share/doc/tcpdiag/copyright"
gzip -9nc "$root/docs/CHANGELOG.md" >"$share/doc/tcpdiag/changelog.gz"
find "$tree" -type d -exec chmod 755 {} +
find "$tree" -type f -exec chmod 644 {} +
chmod 755 "$tree/usr/lib/tcpdiag/tcpdiag"

# The newest symbol of the C library that the program asks for says which one it needs.
libc=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1 | cut -d_ -f2)
cat >"$tree/DEBIAN/control" <<END
Package: tcpdiag
Version: $version
Architecture: amd64
Maintainer: The tcpdiag developers <tcpdiag@example.invalid>
Section: net
Priority: optional
Depends: libc6 (>= ${libc:-2.31})
Recommends: iproute2, man-db
Suggests: wireshark-common
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Description: explains slow TCP from traces of Windows and Linux
 Reads captures (.etl of netsh and pktmon, .pcapng, .pcap) and says what held up
 each TCP connection, what it cost and what to do; scores loss recovery and
 congestion windows, and compares builds of a system.
END
(cd "$tree" && find usr -type f | sort | xargs md5sum) >"$tree/DEBIAN/md5sums"
find "$tree" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$tree" "$out/tcpdiag_${version}_amd64.deb" >/dev/null
