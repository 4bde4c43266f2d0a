#!/usr/bin/env python3
"""What a release is made of, from the packages that the build restored.

    components.py ROOT notices           THIRD-PARTY-NOTICES: each component, its copyright and its licence
    components.py ROOT sbom VERSION      bill of materials, CycloneDX 1.5

Fails when a package has a licence that is not one of those below: docs/third-party.md says why these.
"""
import base64
import json
import os
import re
import sys
import uuid
import xml.etree.ElementTree as xml
from datetime import datetime, timezone
from pathlib import Path

ACCEPTED = {"MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause"}

MIT = """Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"),
to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense,
and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
IN THE SOFTWARE.
"""


def assets(root):
    path = root / "artifacts/obj/TcpDiag.Cli/project.assets.json"
    if not path.exists():
        sys.exit(f"components.py: {path} is missing: build the project first")
    return json.loads(path.read_text())


def packages(root):
    """The packages of which something is in the program: (id, version, folder, SHA-512 in hex)."""
    restored = assets(root)
    folders = [Path(folder) for folder in restored["packageFolders"]]
    used = set()
    for target in restored["targets"].values():
        for name, library in target.items():
            files = [file for kind in ("runtime", "native", "runtimeTargets", "resource") for file in library.get(kind, {})]
            if library["type"] == "package" and any(not file.endswith("/_._") for file in files):
                used.add(name)
    for name in sorted(used, key=str.lower):
        library = restored["libraries"][name]
        folder = next(found for found in (each / library["path"] for each in folders) if found.exists())
        yield (*name.split("/"), folder, base64.b64decode(library["sha512"]).hex())


def nuspec(folder):
    tree = xml.parse(next(folder.glob("*.nuspec"))).getroot()
    return {element.tag.split("}")[1]: element for element in tree[0]}


def component(package):
    name, version, folder, digest = package
    fields = nuspec(folder)
    text = lambda key: (fields[key].text or "").strip() if key in fields else ""
    licence = text("license")
    kind = fields["license"].get("type") if "license" in fields else None
    full = ""
    if kind == "file":
        full = (folder / licence.replace("\\", "/")).read_text(encoding="utf-8-sig")
        licence = "MIT" if "Permission is hereby granted, free of charge" in full else licence
    if licence not in ACCEPTED:
        sys.exit(f"components.py: {name} {version} has the licence '{licence or text('licenseUrl')}', which is not among {', '.join(sorted(ACCEPTED))}")
    return {"name": name, "version": version, "licence": licence, "copyright": text("copyright") or f"Copyright (c) {text('authors')}",
            "url": text("projectUrl"), "purl": f"pkg:nuget/{name}@{version}", "sha512": digest, "text": full}


def script_components(root):
    """What is bundled into the page of a report."""
    lock = json.loads((root / "src/TcpDiag.Report/Html/Page/package-lock.json").read_text())
    for path, package in sorted(lock["packages"].items()):
        if not path or package.get("dev"):
            continue
        name = path.split("node_modules/")[-1]
        folder = root / "src/TcpDiag.Report/Html/Page" / path
        text = next((file.read_text() for file in sorted(folder.glob("LICENSE*"))), "") if folder.exists() else ""
        found = re.search(r"Copyright.*", text)
        algorithm, _, digest = package["integrity"].partition("-")
        yield {"name": name, "version": package["version"], "licence": package["license"], "copyright": found[0] if found else f"Copyright (c) authors of {name}",
               "url": f"https://www.npmjs.com/package/{name}", "purl": f"pkg:npm/{name}@{package['version']}",
               algorithm: base64.b64decode(digest).hex(), "text": text}


def runtime(root):
    """.NET itself, which lies in every release but the tool package. It brings its own list of third parties."""
    version = json.loads((root / "global.json").read_text())["sdk"]["version"]
    return {"name": ".NET and ASP.NET Core, runtime and libraries", "version": re.sub(r"^(\d+\.\d+).*", r"\1", version), "licence": "MIT",
            "copyright": "Copyright (c) .NET Foundation and Contributors", "url": "https://github.com/dotnet/runtime",
            "purl": f"pkg:github/dotnet/runtime", "text": ""}


def components(root):
    return [runtime(root), *map(component, packages(root)), *script_components(root)]


def notices(root):
    print("tcpdiag contains the following software of others.\nWinDivert is not part of it: windivert/README.md says how it is fetched, and its licence.\n")
    for one in components(root):
        print(f"{'-' * 80}\n{one['name']} {one['version']}\n{one['url']}\n{one['copyright']}\nLicence: {one['licence']}\n")
        print(one["text"].replace("\r\n", "\n").strip() or (MIT if one["licence"] == "MIT" else ""), end="\n\n")


def sbom(root, version):
    listed = [{"type": "library", "bom-ref": one["purl"], "name": one["name"], "version": one["version"], "purl": one["purl"],
               "licenses": [{"license": {"id": one["licence"]}}], "copyright": one["copyright"],
               **({"hashes": [{"alg": "SHA-512", "content": one["sha512"]}]} if "sha512" in one else {}),
               "externalReferences": [{"type": "website", "url": one["url"]}]} for one in components(root)]
    moment = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), timezone.utc)
    document = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "serialNumber": "",
                "metadata": {"timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "component": {"type": "application", "bom-ref": f"pkg:generic/tcpdiag@{version}", "name": "tcpdiag", "version": version,
                                           "licenses": [{"license": {"id": "MIT"}}], "purl": f"pkg:generic/tcpdiag@{version}"}},
                "components": listed,
                "dependencies": [{"ref": f"pkg:generic/tcpdiag@{version}", "dependsOn": [one["bom-ref"] for one in listed]}]}
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))}"
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    if sys.argv[2] == "notices":
        notices(folder)
    else:
        sbom(folder, sys.argv[3])
