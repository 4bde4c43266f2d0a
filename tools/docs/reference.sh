#!/usr/bin/env bash
# Writes docs/commands/reference.md from the program's definitions of its commands. A test fails when the page is out of date.
set -euo pipefail
cd "$(dirname "$0")/../.."
artifacts/bin/TcpDiag.Cli/release/tcpdiag help --markdown >docs/commands/reference.md
