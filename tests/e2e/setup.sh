#!/bin/sh
# Puts what the end-to-end tests need below .e2e/: the real Claude Code client, and a folder of
# wheels from which an environment can be built without network. Does nothing when all is there.
set -eu
export DEBIAN_FRONTEND=noninteractive
cd "$(dirname "$0")/../.."
client_version=2.1.329
python=${PYTHON:-.venv/bin/python}

if ! .e2e/client/node_modules/.bin/claude --version 2>/dev/null | grep -q "^$client_version "; then
  if ! command -v npm >/dev/null 2>&1; then
    # Debian and Ubuntu; the tests need node for nothing but npm.
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update && $sudo apt-get install -y --no-install-recommends nodejs npm
  fi
  mkdir -p .e2e/client
  npm install --prefix .e2e/client --no-save --no-audit --no-fund \
    "@anthropic-ai/claude-code@$client_version"
  .e2e/client/node_modules/.bin/claude --version
fi

# The other hosts that run here, and a server of the S3 API (16 s, 14 MB) for the fleet job, a folder
# each: they want different versions of the same packages.
# Each is installed beside the others, and waited for in the end.
installing=
for host in gemini:@google/gemini-cli@0.61.0 qwen:@qwen-code/qwen-code@0.24.4 codex:@openai/codex@0.169.0 \
  copilot:@github/copilot@1.0.102 opencode:opencode-ai@1.18.33 s3:s3rver@3.7.1; do
  folder=.e2e/hosts/${host%%:*} package=${host#*:}
  if [ "$(cat "$folder/installed" 2>/dev/null)" != "$package" ]; then
    mkdir -p "$folder"
    { npm install --prefix "$folder" --no-save --no-audit --no-fund "$package" &&
      echo "$package" >"$folder/installed"; } &
    installing="$installing $!"
  fi
done

# The newest client, which one test watches; where it cannot be had, the last one stays.
mkdir -p .e2e/latest
{ npm install --prefix .e2e/latest --no-save --no-audit --no-fund @anthropic-ai/claude-code@latest ||
  echo "the newest client could not be installed"; } &
installing="$installing $!"

# pre-commit, in an environment of its own.
if ! .e2e/pre-commit/bin/pre-commit --version 2>/dev/null | grep -q ' 4\.7\.0$'; then
  "$python" -m venv .e2e/pre-commit
  .e2e/pre-commit/bin/python -m pip install --quiet --disable-pip-version-check pre-commit==4.7.0
fi

# The wheels of everything that pyproject.toml requires, as constraints.txt pins them; renewed when
# one of both changes.
if ! cat pyproject.toml constraints.txt | cmp -s - .e2e/wheels/made-for; then
  rm -rf .e2e/wheels
  mkdir -p .e2e/wheels
  "$python" - <<'END' | xargs "$python" -m pip wheel --quiet --constraint constraints.txt --wheel-dir .e2e/wheels
import tomllib

with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
print(*project["build-system"]["requires"], *project["project"]["dependencies"], sep="\n")
END
  cat pyproject.toml constraints.txt >.e2e/wheels/made-for
fi

# A browser for the tests of the admin pages.
if ! command -v chromium >/dev/null 2>&1; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get update && $sudo apt-get install -y --no-install-recommends chromium fonts-liberation
fi

# A PostgreSQL server for the tests of the admin database, which start one of their own.
if ! command -v initdb >/dev/null 2>&1 && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get update && $sudo apt-get install -y --no-install-recommends postgresql
fi

# Java for the tests of the fleet job on Spark.
if ! command -v java >/dev/null 2>&1; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get update && $sudo apt-get install -y --no-install-recommends openjdk-17-jre-headless
fi

for process in $installing; do wait "$process"; done
