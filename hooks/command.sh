#!/bin/sh
# UserPromptExpansion: the ready environment answers /groundwire:why and its like, without the model.
trap 'exit 0' EXIT # whatever happens
. "${0%/*}/launch.sh"
why="groundwire is not ready: its environment is not built yet."
if find_environment; then
  why="groundwire failed; run groundwire doctor."
  run -m groundwire.commands.slash && exit
fi
printf '{"decision":"block","reason":"%s"}\n' "$why"
