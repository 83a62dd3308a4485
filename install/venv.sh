#!/usr/bin/env bash
# Makes the Python environment and installs pinned packages, whose hashes must match the lists.
#
#   install/venv.sh FOLDER REQUIREMENTS...
set -euo pipefail

PYTHON=${PYTHON:-python3}
venv=$1
shift

# An environment breaks when the Python that it was made from is removed.
if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
	echo "==> Making the Python environment in $venv"
	"$PYTHON" -m venv --clear "$venv"
fi
arguments=()
for file in "$@"; do
	arguments+=(-r "$file")
done
echo "==> Installing Python packages: $*"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes "${arguments[@]}"

# JupyterLab asks no questions at its first start and makes no network requests.
mkdir -p "$venv/etc/jupyter/labconfig"
cp "$(dirname "${BASH_SOURCE[0]}")/lab-settings.json" "$venv/etc/jupyter/labconfig/default_setting_overrides.json"
