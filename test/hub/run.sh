#!/usr/bin/env bash
# Starts the hub of install/hub with accounts of its own and LEARNERS (20) learners, who all run the first lesson at once, goes through a
# round of nbgrader, and lets idle servers be ended. Prints times and memory.
#
#   test/hub/run.sh HUB    where install/hub/install.sh has put it
#
# Accounts, processes, ports and mounts are those of namespaces, which end with the test: the machine's own are left alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

echo "==> Hub with ${LEARNERS:=20} learners"
skip() {
	echo "    SKIPPED: $*"
	exit 0
}
((EUID == 0)) || skip "only root can start servers as other users: run it by sudo --preserve-env=PATH"
for tool in unshare ip openssl node; do
	command -v "$tool" >/dev/null || skip "$tool is not on this machine (Debian: apt install util-linux iproute2 openssl nodejs)"
done
unshare --mount --pid --net --fork --kill-child --mount-proc true 2>/dev/null || skip "this machine allows no namespaces, which keep the test's accounts apart"
[[ -x $1/venv/bin/jupyterhub ]] || { echo "There is no hub in $1: make hub-test installs it." >&2; exit 1; }
hub=$(cd "$1" && pwd)
# 65534 is nobody, in all distributions.
setpriv --reuid 65534 --regid 65534 --clear-groups "$hub/venv/bin/python" -c '' 2>/dev/null ||
	skip "other users can't run $hub/venv/bin/python: use a checkout and a Python (HUB_PYTHON) that all users can read"

# Kernels' sockets are below the homes, and their paths must be short.
work=$(mktemp -d /tmp/hub.XXXX)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
export LEARNERS WORK=$work HUB=$hub
unshare --mount --pid --net --fork --kill-child --mount-proc bash -euo pipefail -c '
ip link set lo up
cp /etc/passwd /etc/group /etc/shadow "$WORK/"
export PASSWORD=$(openssl rand -hex 16)
digest=$(openssl passwd -6 "$PASSWORD")
echo "instructors:x:60000:prof" >>"$WORK/group"
mkdir "$WORK/h"
account() { # account NAME ID
	echo "$1:x:$2:$2::$WORK/h/$1:/bin/bash" >>"$WORK/passwd"
	echo "$1:x:$2:" >>"$WORK/group"
	echo "$1:$digest:19000:0:99999:7:::" >>"$WORK/shadow"
	install -d -m 700 -o "$2" -g "$2" "$WORK/h/$1"
}
account prof 60001
for ((i = 1; i <= LEARNERS; i++)); do
	account "l$i" $((61000 + i))
done
chmod 600 "$WORK/shadow"
for file in passwd group shadow; do
	mount --bind "$WORK/$file" "/etc/$file"
done
mkdir "$WORK/lessons"
cp -r notebooks/[1-9]* "$WORK/lessons/"
chmod -R u=rwX,go=rX "$WORK/lessons"
install -d -m 2770 -o prof -g instructors "$WORK/grading"
cp -r notebooks/nbgrader/source "$WORK/grading/"
chown -R prof:instructors "$WORK/grading"
install -d -m 1777 "$WORK/exchange"
exec "$HUB/venv/bin/python" test/hub/hub.py'
