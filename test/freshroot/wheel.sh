#!/usr/bin/env bash
# The part of `run.sh wheel` that runs inside the fresh system: first as root, to make a user who may sudo, then as that user, who
# runs the first commands of docs/start.md. The last of them is JupyterLab, which browser.py uses and ends.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ((EUID == 0)); then
	printf 'APT::Get::Assume-Yes "true";\n' >/etc/apt/apt.conf.d/99yes
	packages=(ca-certificates python3 sudo)
	if ! { apt-get update && apt-get install --no-install-recommends "${packages[@]}"; } >/tmp/apt.log 2>&1; then
		tail -n 20 /tmp/apt.log
		exit 1
	fi
	useradd --shell /bin/bash learner
	chown -R learner: /home/learner
	# Settings for package downloads may be in the environment.
	printf 'Defaults !env_reset\nlearner ALL=(ALL) NOPASSWD: ALL\n' >/etc/sudoers.d/learner
	exec runuser -u learner -- env HOME=/home/learner DEBIAN_FRONTEND=noninteractive bash "${BASH_SOURCE[0]}"
fi

# The browser that the test controls asks for JupyterLab's own objects.
mkdir -p ~/.jupyter
cat >~/.jupyter/jupyter_lab_config.py <<CONFIG
c.ServerApp.port = $PORT
c.ServerApp.port_retries = 0
c.ServerApp.open_browser = False
c.LabApp.expose_app_in_browser = True
CONFIG

# The commands as they are documented, with the wheel of this tree instead of the released one.
awk '/^```sh/ { inside = 1; next } /^```/ { if (inside) exit } inside' docs/start.md |
	sed "s|'gopherwarp\[|'$(ls ~/gopherwarp-*.whl)[|" >/tmp/commands
cd
date +%s.%N >/tmp/started
start=$SECONDS
while IFS= read -r line <&3; do
	echo "    [$((SECONDS - start)) s] \$ $line"
	eval "$line" >>/tmp/commands.log 2>&1 || {
		tail -n 40 /tmp/commands.log
		exit 1
	}
done 3</tmp/commands
