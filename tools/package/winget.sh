#!/usr/bin/env bash
# Writes the manifest by which winget installs the zip of win-x64: three files, as the community repository wants them (schema 1.9).
#
#   TCPDIAG_RELEASE_URL=… tools/package/winget.sh VERSION OUT     where the zip will lie
set -euo pipefail
version=$1
out=$2
zip=tcpdiag-$version-win-x64.zip
sum=$(sha256sum "$out/$zip" | cut -d' ' -f1 | tr a-f A-F)
url=$TCPDIAG_RELEASE_URL
mkdir -p "$out/winget"

manifest() {
  printf '# yaml-language-server: $schema=https://aka.ms/winget-manifest.%s.1.9.0.schema.json\nPackageIdentifier: tcpdiag.tcpdiag\nPackageVersion: %s\n' "$1" "$version"
  cat
  printf 'ManifestType: %s\nManifestVersion: 1.9.0\n' "$1"
}

manifest version <<END >"$out/winget/tcpdiag.tcpdiag.yaml"
DefaultLocale: en-US
END
manifest installer <<END >"$out/winget/tcpdiag.tcpdiag.installer.yaml"
InstallerType: zip
NestedInstallerType: portable
NestedInstallerFiles:
- RelativeFilePath: tcpdiag-$version-win-x64\\tcpdiag.exe
  PortableCommandAlias: tcpdiag
ArchiveBinariesDependOnPath: true
MinimumOSVersion: 10.0.14393.0
Installers:
- Architecture: x64
  InstallerUrl: $url/$zip
  InstallerSha256: $sum
END
manifest defaultLocale <<END >"$out/winget/tcpdiag.tcpdiag.locale.en-US.yaml"
PackageLocale: en-US
Publisher: tcpdiag
PackageName: tcpdiag
License: MIT
ShortDescription: Explains slow TCP from traces of Windows and Linux, and compares builds.
END
