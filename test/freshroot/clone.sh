#!/usr/bin/env bash
# The part of run.sh that runs inside the fresh system: first as root, to install what the
# README requires, then as the user who follows the README.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { echo "    [$SECONDS s] $*"; }

if ((EUID == 0)); then
	export DEBIAN_FRONTEND=noninteractive
	packages=(ca-certificates git make python3 sudo)
	if ! { apt-get update && apt-get install -y --no-install-recommends "${packages[@]}"; } >/tmp/apt.log 2>&1; then
		tail -n 20 /tmp/apt.log
		exit 1
	fi
	rm -f /tmp/apt.log
	useradd --shell /bin/bash learner
	chown -R learner: /home/learner
	# Settings for package downloads may be in the environment.
	printf 'Defaults !env_reset\nlearner ALL=(ALL) NOPASSWD: ALL\n' >/etc/sudoers.d/learner
	say "git, make and Python 3 are in; make lab follows, as a user who may sudo"
	exec runuser -u learner -- env HOME=/home/learner bash "${BASH_SOURCE[0]}"
fi

# serve starts the lab as the README says and returns when it answers with our kernel.
serve() {
	make lab BROWSER=no >/tmp/lab.log 2>&1 &
	local lab=$!
	until python3 - <<'PY' 2>/dev/null; do
import json, os, urllib.request
request = urllib.request.Request(
    f"http://localhost:{os.environ['PORT']}/api/kernelspecs",
    headers={"Authorization": "token " + os.environ["JUPYTER_TOKEN"]})
specs = json.load(urllib.request.urlopen(request, timeout=5))["kernelspecs"]
if specs["gopherwarp"]["spec"]["display_name"] != "Go (gopherwarp)":
    raise SystemExit(1)
PY
		if ! kill -0 $lab 2>/dev/null || ((SECONDS > 2400)); then
			echo "make lab did not come up with the kernel:"
			cat /tmp/lab.log
			exit 1
		fi
		sleep 0.5
	done
}

serve
sed 's/^/    | /' <(grep '^==>' /tmp/lab.log)
say "the lab serves the kernel"

bin/gopherwarp run notebooks/solutions/1-basics/first-kernel.ipynb -o /tmp/first-kernel.ipynb
say "the first lesson ran with $(bin/gopherwarp doctor | grep -m 1 -o 'go1[^,]*')"
