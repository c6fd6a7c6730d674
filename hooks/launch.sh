# Shared by the launchers, which source it. The marker ready-VERSION in the plugin's data folder
# names the environment that answers: its interpreter on line 1, the hook's file on line 2.
root=${0%/*}/..
data=${CLAUDE_PLUGIN_DATA-}
case $data in /*) ;; *) exit 0 ;; esac

# Sets $version to the version that the package folder $1 declares.
read_version() {
  version=
  [ -f "$1/__init__.py" ] || return 0
  while IFS= read -r line; do
    case $line in '__version__ = '*) version=${line#*\"} version=${version%%\"*} ;; esac
  done <"$1/__init__.py"
}

read_version "$root/src/groundwire"
plugin_version=$version
ready=$data/ready-$version

# Sets $interpreter and $file from the marker; fails when there is none or its environment is gone.
# A marker without environment is taken away, so that this is said once and the next session mends it.
find_environment() {
  [ -f "$ready" ] || return 1
  { IFS= read -r interpreter && IFS= read -r file; } <"$ready"
  [ -f "$interpreter" ] && [ -x "$interpreter" ] && [ -f "$file" ] && return 0
  rm -f "$ready"
  printf 'groundwire: the environment of %s is gone; the next session mends it\n' "$ready" >&2
  return 1
}
