#!/bin/sh
# SessionStart: hand the event to the ready environment; else take over an installed groundwire of
# the same version; else build an environment in the background. Claude never waits for a build.
trap 'exit 0' EXIT # whatever happens
. "${0%/*}/launch.sh"
clean_path
failed=$data/failed-$plugin_version # why the last build failed; written by the builder
told=$data/told-$plugin_version     # the failure that the user has already read

# The environment behind the marker can be an installed groundwire that was changed since.
environment_is_current() {
  find_environment || return 1
  read_version "${file%/hook/*}"
  [ "$version" = "$plugin_version" ] && return 0
  rm -f "$ready"
  return 1
}

# What the installed command is stands in it: its first lines name the interpreter. Nothing is run.
take_over_installed() {
  installed=$(command -v groundwire-hook) && may_run "$installed" || return 1
  { IFS= read -r first && IFS= read -r second; } <"$installed"
  interpreter=${first#'#!'}
  if [ "$interpreter" = /bin/sh ]; then # '''exec' PATH "$0" "$@", as the path is long or has blanks
    interpreter=${second#"'''exec' "} interpreter=${interpreter%' "$0" "$@"'}
    interpreter=${interpreter#[\"\']} interpreter=${interpreter%[\"\']}
  fi
  file=
  for found in "${interpreter%/bin/*}"/lib/python3*/site-packages/groundwire/hook/run.py; do
    [ -z "$file" ] || return 1 # of which Python?
    file=$found
  done
  may_run "$interpreter" && may_run "$file" && read_version "${file%/hook/*}" || return 1
  [ "$version" = "$plugin_version" ] && mkdir -p "$data" 2>/dev/null || return 1
  printf '%s\n%s\n' "$interpreter" "$file" >"$ready.$$" && mv -f "$ready.$$" "$ready"
}

# Prints $1 as the message that Claude Code shows to the user.
say() {
  text=$(printf '%s' "$1" | LC_ALL=C tr '\n\t' '  ' | LC_ALL=C tr -d '\000-\037\177' |
    LC_ALL=C sed 's/[\\"]/\\&/g')
  printf '{"systemMessage":"%s"}\n' "$text"
}

start_build() {
  /bin/sh "$root/hooks/build.sh" "$data" --detached </dev/null >/dev/null 2>&1 &
}

if environment_is_current || { take_over_installed && environment_is_current; }; then
  run -S "$file"
  exit
fi
if ! mkdir -p "$data" 2>/dev/null || ! [ -w "$data" ]; then
  say "groundwire cannot write to its folder $data, so nothing is checked."
  exit 0
fi
if [ -f "$failed" ]; then
  cmp -s "$failed" "$told" || say "$(cat "$failed")"
  mv -f "$failed" "$told" # keeps the time of the failure
elif ! [ -f "$told" ]; then
  [ -f "$data/build-$plugin_version.log" ] ||
    say "groundwire prepares its Python environment in the background, once for each version. \
Turns are checked as soon as it is ready."
  start_build
  exit 0
fi
# After a failure, not every session tries again.
[ -n "$(find "$told" -mmin +60 2>/dev/null)" ] && start_build
exit 0
