"""The settings of the hub: the file that is shipped can be filled in, and what can't be meant is refused with the name of the setting."""

import importlib.util
import json
import re

import conftest
import pytest

HUB = conftest.ROOT / "install" / "hub"


@pytest.fixture(scope="module")
def hubsettings():
    """The module that reads the settings."""
    pytest.importorskip("tomllib", reason="Python 3.10 has no reader of TOML: the hub's environment does")
    spec = importlib.util.spec_from_file_location("hubsettings", HUB / "etc" / "hubsettings.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def settings(hubsettings, tmp_path):
    """Reads hub.toml with changed lines. Its accounts are some that each Linux has."""
    exchange = tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o1777)

    def read(**changes):
        changes = {
            "learners": '["nobody"]',
            "instructors": '["daemon"]',
            "lessons": json.dumps(str(tmp_path)),
            "grading": json.dumps(str(tmp_path)),
            "exchange": json.dumps(str(exchange)),
        } | changes
        text = (HUB / "hub.toml").read_text()
        for name, value in changes.items():
            text, n = re.subn(rf"(?m)^{name} = .*$", lambda _, line=f"{name} = {value}": line if value else "", text, count=1)
            assert n == 1, name
        (tmp_path / "hub.toml").write_text(text)
        return hubsettings.load(tmp_path / "hub.toml")

    return read


def test_values(settings, tmp_path):
    s = settings(learners='["nobody", "bin"]', devices='[0, "MIG-41b35250-13ff-5d23"]', users='["bin"]', processors="1.5")
    assert s.limits_memory == 2 << 30 and s.limits_idle == 1800 and s.limits_processors == 1.5
    assert s.gpu_devices == ["0", "MIG-41b35250-13ff-5d23"]
    assert s.server_state == tmp_path / "state"
    assert s.may_use_gpu("bin") and not s.may_use_gpu("nobody")
    assert "Ask your instructor" in s.refusal()
    assert settings(devices="[0]", users='"all"').may_use_gpu("nobody")
    assert not settings().may_use_gpu("nobody") and "has no GPU" in settings().refusal()


BAD = {
    "an account that is missing": ({"learners": '["nobody", "no-such-account"]'}, "learners", "adduser no-such-account"),
    "the administrator": ({"instructors": '["root"]'}, "instructors", "use another account"),
    "one name without a list": ({"learners": '"nobody"'}, "learners", "write a list of names"),
    "a learner who is an instructor": ({"instructors": '["nobody"]'}, "nobody", "leave one of the two out"),
    "nobody at all": ({"learners": "[]", "instructors": "[]"}, "nobody may use the hub", "name learners"),
    "a group that is missing": ({"learner_group": '"no-such-group"'}, "learner_group", "addgroup"),
    "memory without a unit": ({"memory": '"2"'}, "limits.memory = '2'", "2GiB"),
    "memory as a number": ({"memory": "2000"}, "limits.memory = 2000", "2GiB"),
    "no processors": ({"processors": "0"}, "limits.processors = 0", "above 0"),
    "endless processors": ({"processors": "inf"}, "limits.processors = inf", "above 0"),
    "a time without a unit": ({"idle": '"30"'}, "limits.idle = '30'", "30m"),
    "half a process": ({"processes": "0.5"}, "limits.processes = 0.5", "whole number"),
    "true for a number": ({"servers": "true"}, "limits.servers = True", "whole number"),
    "a port that is none": ({"port": "70000"}, "server.port = 70000", "65535"),
    "an unknown spawner": ({"spawner": '"docker"'}, "server.spawner", "auto, systemd, process"),
    "a directory that is missing": ({"lessons": '"/no/such/directory"'}, "course.lessons", "make it"),
    "a relative directory": ({"grading": '"grading"'}, "course.grading", "from / on"),
    "an exchange that learners can't write to": ({"exchange": '"/etc"'}, "course.exchange", "chmod 1777 /etc"),
    "a name with a slash": ({"name": '"../x"'}, "course.name", "letters, digits"),
    "a GPU by its name": ({"devices": '["H200"]'}, "gpu.devices", "nvidia-smi -L"),
    "a GPU twice": ({"devices": '[0, "0"]'}, "gpu.devices", "twice"),
    "rights to no GPU": ({"users": '"all"'}, "gpu.users has names", "devices = [0]"),
    "an unknown setting": ({"contact": '"x"\nidel = "5m"'}, "there is no setting gpu.idel", "gpu.idle"),
    "a missing setting": ({"contact": ""}, "gpu.contact is missing", "copy its line"),
    "a table as a value": ({"contact": "{}"}, "gpu.contact = {}", "in quotes"),
    "no TOML": ({"learners": "[nobody]"}, "is not TOML", "line"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_values(settings, hubsettings, tmp_path, name):
    changes, what, remedy = BAD[name]
    with pytest.raises(hubsettings.SettingsError) as err:
        settings(**changes)
    assert str(err.value).startswith(str(tmp_path / "hub.toml"))
    assert what in str(err.value), err.value
    assert remedy in str(err.value), err.value


def test_missing_file(hubsettings, tmp_path):
    with pytest.raises(hubsettings.SettingsError, match=r"install\.sh makes the file"):
        hubsettings.load(tmp_path / "hub.toml")
