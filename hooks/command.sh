#!/bin/sh
# UserPromptExpansion: the ready environment answers /groundwire:why and its like, without the model.
. "${0%/*}/launch.sh"
if ! find_environment; then
  printf '{"decision":"block","reason":"groundwire is not ready: its environment is not built yet."}\n'
  exit 0
fi
exec "$interpreter" -I -m groundwire.cli.slash
