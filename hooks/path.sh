# Sourced by launch.sh and by the action: which programs may be run beside a project of others.

# Prints the folder $1 without links; fails when there is none.
real_folder() { (CDPATH='' cd -P -- "$1" 2>/dev/null && pwd -P); }

# Sets $state to groundwire's folder of that name; a relative one counts as none.
find_state() {
  for state in "${GROUNDWIRE_STATE_DIR-}" "${XDG_STATE_HOME:+$XDG_STATE_HOME/groundwire}" \
    "${HOME:+$HOME/.local/state/groundwire}"; do
    case $state in /*) return 0 ;; esac
  done
  return 1
}

# Prints the folder of the project that $1 is in: the uppermost with a .git, or $1 itself. The home
# and what is above it are no project.
project_of() {
  case ${HOME-} in /*) home=$(real_folder "$HOME") ;; *) home= ;; esac
  top=$(real_folder "$1")
  folder=${top%/} top=
  while [ -n "$folder" ]; do
    case $home/ in "$folder"/*) break ;; esac
    [ -n "$top" ] && ! [ -e "$folder/.git" ] || top=$folder
    folder=${folder%/*}
  done
  printf '%s\n' "$top"
}

# Tells whether the folder $1 is absolute and outside of the project.
is_outside() {
  case $1 in /*) ;; *) return 1 ;; esac
  there=$(real_folder "$1") || return 1
  if [ -z "${projects+set}" ]; then
    projects=$(
      for place in . "${CLAUDE_PROJECT_DIR-}" "${GITHUB_WORKSPACE-}"; do
        [ -z "$place" ] || [ "$place" = "$PWD" ] || project_of "$place"
      done
    )
  fi
  while IFS= read -r project; do
    case ${project:+$there/} in "$project"/*) return 1 ;; esac
  done <<END
$projects
END
  return 0
}

# Tells whether the file $1 may be run: it, and what a link leads to, is outside of the project and
# owned by the user or root. Where the two tools are not in their places, it may not.
may_run() {
  [ -f "$1" ] && is_outside "${1%/*}" || return 1
  if [ -h "$1" ]; then
    target=$(PATH=/usr/bin:/bin readlink -f "$1" 2>/dev/null)
    is_outside "${target%/*}" || return 1
  fi
  [ -O "$1" ] || [ -n "$(PATH=/usr/bin:/bin find -H "$1" -prune -user 0 2>/dev/null)" ]
}

# Leaves in PATH the absolute folders outside of the project.
clean_path() {
  rest=$PATH: PATH=
  while [ -n "$rest" ]; do
    ! is_outside "${rest%%:*}" || PATH=$PATH${PATH:+:}${rest%%:*}
    rest=${rest#*:}
  done
  PATH=${PATH:-/usr/bin:/bin}
}
