#!/bin/sh
# Stop and SubagentStop: the ready environment reads the event from stdin. Without one, the turn ends.
trap 'exit 0' EXIT # whatever happens
. "${0%/*}/launch.sh"
find_environment && run -S "$file"
