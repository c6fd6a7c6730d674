#!/bin/sh
# Stop, in the background: the second look. Ends at once, before anything is loaded, while it is off.
state=${GROUNDWIRE_STATE_DIR:-${XDG_STATE_HOME:+$XDG_STATE_HOME/groundwire}}
state=${state:-${HOME-}/.local/state/groundwire}
[ -e "$state/second-look/on" ] || exit 0
. "${0%/*}/launch.sh"
find_environment || exit 0
exec "$interpreter" -I -S "$file" --second-look
