"""Writes the list of a program's modules as CycloneDX 1.6: go version -m -json PROGRAM | sbom.py VERSION FILE.cdx.json

It has no time and no random number, so that equal programs have equal lists, and is checked against CycloneDX's schema.
"""

import json
import sys
import uuid
from pathlib import Path

from cyclonedx.model import Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL


def module(path: str, version: str, digest: str = "") -> Component:
    """Return a Go module. digest is the module's, as in go.sum."""
    namespace, _, name = path.rpartition("/")
    url = PackageURL("golang", namespace or None, name, version or None)
    properties = [Property(name="go:sum", value=digest)] if digest else []
    return Component(type=ComponentType.LIBRARY, name=path, version=version, purl=url, bom_ref=str(url), properties=properties)


def main(version: str, file: Path) -> None:
    build = json.load(sys.stdin)
    settings = {s["Key"]: s.get("Value", "") for s in build["Settings"]}
    main_module = build["Main"]["Path"]
    program = Component(
        type=ComponentType.APPLICATION,
        name="gopherwarp",
        version=version,
        purl=PackageURL("golang", *main_module.rpartition("/")[::2], version),
        bom_ref="gopherwarp",
        properties=[Property(name=key, value=settings[key]) for key in ("GOOS", "GOARCH", "vcs.revision") if key in settings],
    )
    modules = [module("std", build["GoVersion"].removeprefix("go"))]
    for m in build["Deps"]:
        m = m.get("Replace") or m
        modules.append(module(m["Path"], m["Version"], m.get("Sum", "")))

    # Its time is that of now unless it is set; the field is left out below.
    bom = Bom(metadata=BomMetaData(component=program), components=modules)
    bom.register_dependency(program, modules)
    identity = json.dumps([version, build], sort_keys=True)
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, f"https://{main_module}#{identity}")
    document = json.loads(JsonV1Dot6(bom).output_as_string())
    document["metadata"].pop("timestamp", None)
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    if problem := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit(f"write {file}: it does not fit CycloneDX's schema: {problem}")
    file.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
