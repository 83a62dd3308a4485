"""Checks of the Dockerfile without building it: the files that it copies exist."""

import os
import re
import shlex

import conftest


def dockerfile_lines():
    text = (conftest.ROOT / "Dockerfile").read_text()
    return text.replace("\\\n", " ").splitlines()


def test_copied_files_exist():
    copied = []
    for line in dockerfile_lines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["COPY"] and not any(word.startswith("--from") for word in words):
            copied += [word for word in words[1:-1] if not word.startswith("--")]
    assert copied
    assert [path for path in copied if not (conftest.ROOT / path).exists()] == []


def test_scripts_can_run():
    scripts = {script for line in dockerfile_lines() for script in re.findall(r"install/\w+\.sh", line)}
    assert scripts
    assert [path for path in sorted(scripts) if not os.access(conftest.ROOT / path, os.X_OK)] == []
