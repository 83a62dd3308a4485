"""The configuration of a JupyterHub for a class on one machine with Linux. What differs between classes is in hub.toml.

    DIR/venv/bin/jupyterhub -f DIR/etc/jupyterhub_config.py

where install/hub/install.sh has installed it in DIR. docs/hub.md is its handbook.
"""

import html
import os
import pathlib
import resource
import sys

from jupyterhub.spawner import LocalProcessSpawner
from tornado import web
from traitlets import Integer

c = get_config()  # noqa: F821
HUB = pathlib.Path(sys.prefix).resolve().parent
ETC = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ETC))
import hubsettings  # noqa: E402

try:
    settings = hubsettings.load(pathlib.Path(os.environ.get("GOPHERWARP_HUB_SETTINGS", HUB / "hub.toml")))
except hubsettings.SettingsError as err:
    sys.exit(f"jupyterhub: {err}")
if os.geteuid():
    sys.exit("jupyterhub: start users' servers: only root can start processes as other users: run the hub by sudo or as a service of the system")

# The hub and its proxy.
settings.server_state.mkdir(mode=0o700, parents=True, exist_ok=True)
settings.server_state.chmod(0o700)
c.JupyterHub.bind_url = f"http://{settings.server_address}:{settings.server_port}/"
c.JupyterHub.db_url = f"sqlite:///{settings.server_state}/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = str(settings.server_state / "cookie_secret")
c.ConfigurableHTTPProxy.command = [str(HUB / "proxy/node_modules/.bin/configurable-http-proxy")]
c.ConfigurableHTTPProxy.pid_file = str(settings.server_state / "proxy.pid")
c.JupyterHub.active_server_limit = settings.limits_servers
# A class starts its servers at the same time. The hub would refuse those above this limit, with status 429, and not let them wait.
c.JupyterHub.concurrent_spawn_limit = settings.limits_servers

# Users are accounts of this machine, and log in by their passwords.
c.JupyterHub.authenticator_class = "pam"
c.PAMAuthenticator.open_sessions = False
c.Authenticator.allowed_users = set(settings.learners) | set(settings.instructors)
if settings.learner_group:
    c.PAMAuthenticator.allowed_groups = {settings.learner_group}
# Instructors see all servers and may start and stop them. They are no administrators of the hub, who could add any account.
c.JupyterHub.load_groups = {"instructors": {"users": settings.instructors}}
c.JupyterHub.load_roles = [
    {
        "name": "instructor",
        "scopes": ["admin-ui", "list:users", "read:users:activity", "read:servers", "servers", "delete:servers"],
        "groups": ["instructors"],
    },
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    },
]

# Idle servers are ended. The hub learns of use at intervals that must be shorter than the time.
interval = max(1, min(300, settings.limits_idle // 4))
c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [sys.executable, "-m", "jupyterhub_idle_culler", f"--timeout={settings.limits_idle}", f"--cull-every={interval}"],
    }
]
c.JupyterHub.last_activity_interval = interval


class LimitedProcessSpawner(LocalProcessSpawner):
    """Starts users' servers as processes with limits that Linux checks for each of them.

    Linux bounds the number of a user's processes and threads, and the private memory of each process by itself. GOPHERWARP_MEMORY
    bounds a session of Go with all that it starts. Nothing bounds all processes of a user together, nor the processors: GOMAXPROCS is how many
    Go and the simulator use. systemdspawner bounds both.
    """

    max_processes = Integer(0, help="Maximum number of processes and threads of the user.").tag(config=True)
    max_data = Integer(0, help="Maximum private memory of each process in bytes; 0 is no limit.").tag(config=True)

    def make_preexec_fn(self, name):
        become = super().make_preexec_fn(name)
        limits = [(resource.RLIMIT_NPROC, self.max_processes), (resource.RLIMIT_DATA, self.max_data), (resource.RLIMIT_CORE, 0)]

        def prepare():
            for which, limit in limits:
                if limit or which == resource.RLIMIT_CORE:
                    resource.setrlimit(which, (limit, limit))
            become()

        return prepare


with_systemd = settings.server_spawner == "systemd" or settings.server_spawner == "auto" and os.path.isdir("/run/systemd/system")
c.JupyterHub.spawner_class = "systemd" if with_systemd else LimitedProcessSpawner
c.Spawner.mem_limit = settings.limits_memory
c.Spawner.cpu_limit = settings.limits_processors
c.LimitedProcessSpawner.max_processes = settings.limits_processes
c.SystemdSpawner.unit_extra_properties = {"TasksMax": str(settings.limits_processes)}
c.SystemdSpawner.default_shell = "/bin/bash"

c.Spawner.cmd = [str(ETC / "start-server")]
# Kernels of the server are reached by Unix sockets, in a directory that other users can't enter, and not by ports. Those that nbgrader
# starts are of another class: their sockets would be looked for in the working directory, which is not that of the kernel.
c.Spawner.args = ["--ServerKernelManager.transport=ipc"]
c.Spawner.default_url = "/lab"
# A start takes some seconds of a processor, so that the last of a class has to wait.
c.Spawner.http_timeout = 300
c.Spawner.start_timeout = 300
# What the shell of the administrator has set does not reach users.
c.Spawner.env_keep = ["LANG", "LC_ALL"]
c.Spawner.environment = {
    "PATH": f"{HUB}/venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "GOTOOLCHAIN": "local",
    "JUPYTER_PREFER_ENV_PATH": "1",
    "JUPYTERHUB_ACTIVITY_INTERVAL": str(interval),
    "GOPHERWARP_HUB": str(HUB),
    "GOPHERWARP_LESSONS": str(settings.course_lessons),
    "GOPHERWARP_COURSE": settings.course_name,
    "GOPHERWARP_EXCHANGE": str(settings.course_exchange),
    "GOPHERWARP_MEMORY": str(settings.limits_memory // 2**20) + "MiB",
    "GOMAXPROCS": str(max(1, round(settings.limits_processors))),
    "GOPHERWARP_GPU_IDLE": f"{settings.gpu_idle}s",
    "GOPHERWARP_GPU_MEMORY": str(settings.gpu_memory // 2**20) + "MiB",
}


def device_form(spawner):
    """Returns the choice of devices on the page that starts a server, or why there is none."""
    if not settings.may_use_gpu(spawner.user.name):
        return f'<p class="gopherwarp-device">{html.escape(settings.refusal())}</p><input type="hidden" name="device" value="sim">'
    options = "".join(f'<option value="{html.escape(gpu)}">GPU {html.escape(gpu)}</option>' for gpu in settings.gpu_devices)
    return (
        '<label for="device">Kernels run on</label>'
        f'<select class="form-control" name="device" id="device">{options}<option value="sim">the simulator</option></select>'
    )


def device_of_form(data):
    """Returns the options of a start from the fields of the form."""
    return {"device": data.get("device", ["sim"])[0]}


def default_device(name):
    """Returns the device of a user who has chosen none: users share the GPUs evenly."""
    if not settings.may_use_gpu(name):
        return "sim"
    return settings.gpu_devices[sum(name.encode()) % len(settings.gpu_devices)]


def prepare(spawner):
    """Sets the device of a user before the server starts, or refuses one that the user may not have."""
    name = spawner.user.name
    device = str(spawner.user_options.get("device") or default_device(name))
    if device != "sim" and not settings.may_use_gpu(name):
        raise_refusal(403, settings.refusal())
    if device != "sim" and device not in settings.gpu_devices:
        raise_refusal(400, f"This hub has no device {device!r}: choose one of {', '.join(settings.gpu_devices)}, or sim.")
    environment = dict(spawner.environment)
    if device == "sim":
        # An empty list hides all GPUs from CUDA's driver. Who sets another sees them, unless the device files are closed: docs/hub.md.
        environment |= {"GOPHERWARP_DEVICE": "sim", "CUDA_VISIBLE_DEVICES": ""}
        spawner.isolate_devices = True
        # Twice as much, so that a session meets GOPHERWARP_MEMORY first, whose message names its variables.
        spawner.max_data = 2 * settings.limits_memory
    else:
        # A session sees one GPU, which is its first.
        environment |= {"GOPHERWARP_DEVICE": "cuda:0", "CUDA_VISIBLE_DEVICES": device}
        spawner.isolate_devices = False
        spawner.max_data = 0  # CUDA's driver reserves more memory than it uses
    role = "learner"
    if name in settings.instructors:
        role = "instructor"
        environment["GOPHERWARP_GRADING"] = str(settings.course_grading)
    environment["JUPYTER_CONFIG_PATH"] = f"{ETC}/{role}:{ETC}/all"
    spawner.environment = environment


def raise_refusal(status, message):
    """Raises an error that the page of the hub and its API show."""
    err = web.HTTPError(status, message)
    err.jupyterhub_message = message
    raise err


c.Spawner.options_form = device_form
c.Spawner.options_from_form = device_of_form
c.Spawner.pre_spawn_hook = prepare
