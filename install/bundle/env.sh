# shellcheck shell=bash
# Source this file in a shell (`. env.sh`): then go, gopherwarp and Jupyter's Go kernel use this folder.
bundle=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")" && pwd)
export GOROOT="$bundle/go"
export GOMODCACHE="$bundle/modules"
export GOCACHE="$bundle/cache"
export GOPROXY=off GOSUMDB=off GOTOOLCHAIN=local GOENV=off GOFLAGS=-buildvcs=false
export PATH="$bundle/gopherwarp/bin:$bundle/go/bin:$PATH"
unset bundle
