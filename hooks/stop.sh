#!/bin/sh
# Stop and SubagentStop: the ready environment reads the event from stdin. Without one, the turn ends.
. "${0%/*}/launch.sh"
find_environment || exit 0
exec "$interpreter" -I -S "$file"
