#!/bin/sh
# UserPromptSubmit: tells what a second look has left for the user. Ends at once where it left nothing.
trap 'exit 0' EXIT # whatever happens
. "${0%/*}/path.sh"
find_state || exit
for note in "$state"/second-look/notes/*; do
  [ -e "$note" ] && break
  exit 0
done
. "${0%/*}/launch.sh"
find_environment && run -S "$file" --notes
