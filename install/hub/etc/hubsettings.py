"""Reads hub.toml, the settings of the hub, and refuses what can't be meant."""

import grp
import pathlib
import pwd
import re
from dataclasses import dataclass

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
SECONDS = {"s": 1, "m": 60, "h": 3600}


class SettingsError(Exception):
    """A setting that can't be used. The message names the file, the setting, and what to write."""


@dataclass
class Settings:
    """What hub.toml says. Names are those of the file, with those of tables before the others."""

    learners: list[str]
    instructors: list[str]
    learner_group: str
    server_address: str
    server_port: int
    server_state: pathlib.Path
    server_spawner: str
    course_name: str
    course_lessons: pathlib.Path
    course_grading: pathlib.Path
    course_exchange: pathlib.Path
    limits_memory: int  # bytes
    limits_processors: float
    limits_processes: int
    limits_servers: int
    limits_idle: int  # seconds
    gpu_users: list[str] | str
    gpu_devices: list[str]
    gpu_memory: int  # bytes
    gpu_idle: int  # seconds
    gpu_contact: str

    def may_use_gpu(self, name: str) -> bool:
        """Reports whether the user of that name may use a GPU of this hub."""
        return bool(self.gpu_devices) and (self.gpu_users == "all" or name in self.gpu_users)

    def refusal(self) -> str:
        """Returns what a user without the right to a GPU is told."""
        if not self.gpu_devices:
            return "This hub has no GPU. Kernels run on the simulator."
        return f"You may not use a GPU on this hub. Kernels run on the simulator. Ask {self.gpu_contact} for a GPU."


def size(value) -> int:
    """Returns the bytes of a size such as 2GiB."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(KB|MB|GB|KiB|MiB|GiB)", value) if isinstance(value, str) else None
    if not match or not float(match[1]):
        raise ValueError('write a size such as "512MiB" or "2GiB"')
    return int(float(match[1]) * UNITS[match[2]])


def duration(value) -> int:
    """Returns the seconds of a time such as 30m."""
    match = re.fullmatch(r"(\d+)(s|m|h)", value) if isinstance(value, str) else None
    if not match or not int(match[1]):
        raise ValueError('write a time such as "90s", "30m" or "2h"')
    return int(match[1]) * SECONDS[match[2]]


def whole(value) -> int:
    """Returns a whole number above zero."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError("write a whole number above 0")
    return value


def port(value) -> int:
    """Returns the number of a port."""
    if whole(value) > 65535:
        raise ValueError("ports go up to 65535")
    return value


def number(value) -> float:
    """Returns a number above zero."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < float("inf"):
        raise ValueError("write a number above 0, such as 2 or 0.5")
    return float(value)


def text(value) -> str:
    """Returns a text that is not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("write a text in quotes")
    return value.strip()


def course_name(value) -> str:
    """Returns a name that can be that of a directory, and of a course of nbgrader."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", value):
        raise ValueError("write a name of letters, digits, dots, - and _")
    return value


def choice(*names):
    """Returns a function that returns one of the names."""

    def check(value):
        if value not in names:
            raise ValueError("write one of " + ", ".join(names))
        return value

    return check


def accounts(value) -> list[str]:
    """Returns names of accounts of this machine."""
    if not isinstance(value, list):
        raise ValueError('write a list of names: ["ada", "grace"]')
    for name in value:
        if not isinstance(name, str):
            raise ValueError(f"{name!r} is no name: write it in quotes")
        try:
            account = pwd.getpwnam(name)
        except KeyError:
            raise ValueError(f"this machine has no account {name!r}: make it (adduser {name}), or leave the name out") from None
        if account.pw_uid == 0:
            raise ValueError(f"{name!r} is the administrator of this machine, whose notebooks could do anything to it: use another account")
    return value


def group(value) -> str:
    """Returns the name of a group of this machine, or none."""
    if not isinstance(value, str):
        raise ValueError('write the name of a group in quotes, or ""')
    if value:
        try:
            grp.getgrnam(value)
        except KeyError:
            raise ValueError(f'this machine has no group {value!r}: make it (addgroup {value}), or write ""') from None
    return value


def gpu_users(value):
    """Returns the names of those who may use a GPU, or "all"."""
    return value if value == "all" else accounts(value)


def gpus(value) -> list[str]:
    """Returns GPUs as CUDA_VISIBLE_DEVICES names them."""
    names = [str(v) if isinstance(v, int) and not isinstance(v, bool) else v for v in value] if isinstance(value, list) else [None]
    for name in names:
        if not isinstance(name, str) or not re.fullmatch(r"\d+|(GPU|MIG)-[\w./-]+", name):
            raise ValueError('write a list of numbers or UUIDs: [0, 1] or ["MIG-…"] (nvidia-smi -L prints them)')
    if len(set(names)) < len(names):
        raise ValueError("a GPU is in the list twice")
    return names


def directory(value) -> pathlib.Path:
    """Returns the path of a directory that exists."""
    if not isinstance(value, str) or not value.startswith("/"):
        raise ValueError("write the path of a directory, from / on")
    path = pathlib.Path(value)
    if not path.is_dir():
        raise ValueError(f"{value} is no directory: make it, see docs/hub.md")
    return path


def exchange(value) -> pathlib.Path:
    """Returns the path of a directory that all users may write to."""
    path = directory(value)
    if path.stat().st_mode & 0o007 != 0o007:
        raise ValueError(f"learners can't hand in, since they may not write to {value}: chmod 1777 {value}")
    return path


# How each setting is read. All have to be in the file, so that it shows what can be set.
READERS = {
    "learners": accounts,
    "instructors": accounts,
    "learner_group": group,
    "server": {"address": text, "port": port, "state": text, "spawner": choice("auto", "systemd", "process")},
    "course": {"name": course_name, "lessons": directory, "grading": directory, "exchange": exchange},
    "limits": {"memory": size, "processors": number, "processes": whole, "servers": whole, "idle": duration},
    "gpu": {"users": gpu_users, "devices": gpus, "memory": size, "idle": duration, "contact": text},
}


def values(file, table, readers, before=""):
    """Yields the names and values of a table, checked."""
    for name in table:
        if name not in readers:
            raise SettingsError(f"{file}: there is no setting {before}{name}: the settings are {', '.join(before + n for n in readers)}")
    for name, read in readers.items():
        if name not in table:
            raise SettingsError(f"{file}: {before}{name} is missing: copy its line from install/hub/hub.toml of the sources")
        value = table[name]
        if isinstance(read, dict):
            if not isinstance(value, dict):
                raise SettingsError(f"{file}: {name} is a table: write [{name}] and its settings in the lines after it")
            yield from values(file, value, read, name + ".")
            continue
        try:
            yield (before + name).replace(".", "_"), read(value)
        except ValueError as err:
            raise SettingsError(f"{file}: {before}{name} = {value!r}: {err}") from None


def load(file: pathlib.Path) -> Settings:
    """Returns the settings in the file. A SettingsError says what is wrong with them."""
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as err:
        raise SettingsError(f"read the settings of the hub: {err}: install/hub/install.sh makes the file, GOPHERWARP_HUB_SETTINGS names another") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        raise SettingsError(f"{file} is not TOML: {err}") from None
    settings = Settings(**dict(values(file, table, READERS)))
    settings.server_state = file.resolve().parent / settings.server_state
    if not (settings.learners or settings.instructors or settings.learner_group):
        raise SettingsError(f"{file}: nobody may use the hub: name learners and instructors")
    if both := set(settings.learners) & set(settings.instructors):
        raise SettingsError(f"{file}: {', '.join(sorted(both))}: an instructor can't be a learner, too: leave one of the two out")
    if settings.gpu_users and not settings.gpu_devices:
        raise SettingsError(f"{file}: gpu.users has names, and gpu.devices no GPU: write devices = [0] for the first GPU")
    return settings
