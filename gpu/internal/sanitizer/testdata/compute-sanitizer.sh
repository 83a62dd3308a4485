#!/bin/sh
# Imitates compute-sanitizer: copies the log of the tool that lies beside it, and runs the command.
while case $1 in --*) true ;; *) false ;; esac; do
	case $1 in --tool) tool=$2 ;; --log-file) log=$2 ;; esac
	shift 2
done
test ! -e "${0%/*}/$tool" || cat "${0%/*}/$tool" >"$log"
exec "$@"
