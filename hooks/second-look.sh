#!/bin/sh
# Stop, in the background: the second look. Ends at once, before anything is loaded, while it is off.
code=0
trap 'exit "$code"' EXIT # whatever happens
. "${0%/*}/path.sh"
find_state && [ -e "$state/second-look/on" ] || exit 0
. "${0%/*}/launch.sh"
wakes=2
find_environment && run -S "$file" --second-look && code=$status
