#!/bin/sh
# Stop, in the background: the second look. Ends at once, before anything is loaded, while it is off.
state=${GROUNDWIRE_STATE_DIR:-${XDG_STATE_HOME:+$XDG_STATE_HOME/groundwire}}
state=${state:-${HOME-}/.local/state/groundwire}
code=0
trap 'exit "$code"' EXIT # whatever happens
[ -e "$state/second-look/on" ] || exit 0
. "${0%/*}/launch.sh"
wakes=2
find_environment && run -S "$file" --second-look && code=$status
