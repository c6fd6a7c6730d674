"""Words that only run another command."""

from __future__ import annotations

#: Words of the wrapper; its options that take a value; how many words of its own follow, -1 when
#: its command stands behind an option or "--".
ROWS = (
    ("timeout", "-s --signal -k --kill-after", 1),
    ("gtimeout", "-s --signal -k --kill-after", 1),
    ("time", "-f --format -o --output", 0),
    ("nice", "-n --adjustment", 0),
    ("ionice", "-c -n", 0),
    ("nohup", "", 0),
    ("setsid", "", 0),
    ("stdbuf", "-i -o -e", 0),
    ("unbuffer", "", 0),
    ("caffeinate", "-t -w", 0),
    ("chronic", "", 0),
    ("command", "", 0),
    ("builtin", "", 0),
    ("exec", "-a", 0),
    ("env", "-u --unset -C --chdir", 0),
    ("cross-env", "", 0),
    ("sudo", "-u --user -g --group -h --host -D -C -p", 0),
    ("doas", "-u -C", 0),
    ("xvfb-run", "-s --server-args -n --server-num -e -f -w", 0),
    ("xargs", "-I -n -P -d -L -E -s -a --max-args --max-procs --delimiter --replace", 0),
    ("parallel", "-j --jobs -N", 0),
    ("strace", "-e -o -p -s -P", 0),
    ("ltrace", "-e -o", 0),
    ("valgrind", "", 0),
    ("catchsegv", "", 0),
    ("xcrun", "--sdk -sdk --toolchain", 0),
    ("dotenv", "-e -f -c", 0),
    ("dotenvx run", "-f --env-file", 0),
    ("doppler run", "-p -c --project --config", 0),
    ("op run", "--env-file", 0),
    ("aws-vault exec", "-d --duration", 1),
    ("npx", "-p --package -w --workspace", 0),
    ("pnpx", "-p --package", 0),
    ("bunx", "-p --package", 0),
    ("bun x", "", 0),
    ("npm exec", "-p --package -w --workspace", 0),
    ("npm x", "-p --package -w --workspace", 0),
    ("pnpm dlx", "--package", 0),
    ("pnpm exec", "-C --dir --filter -F", 0),
    ("yarn dlx", "-p --package", 0),
    ("yarn exec", "", 0),
    ("uvx", "--from --with -p --python", 0),
    ("uv tool run", "--from --with -p --python", 0),
    (
        "uv run",
        (
            "--with --with-requirements --with-editable -p --python --project --directory "
            "--package --extra --group --only-group --env-file --index"
        ),
        0,
    ),
    ("poetry run", "-C --directory -P --project", 0),
    ("pdm run", "-p --project", 0),
    ("pipenv run", "", 0),
    ("rye run", "", 0),
    ("pixi run", "-e --environment --manifest-path", 0),
    ("conda run", "-n --name -p --prefix --cwd", 0),
    ("mamba run", "-n --name -p --prefix --cwd", 0),
    ("micromamba run", "-n --name -p --prefix --cwd", 0),
    ("coverage run", "--source --omit --include --rcfile --data-file --context", 0),
    ("mise exec", "-C --cd -E --env -j --jobs", 0),
    ("mise x", "-C --cd -E --env -j --jobs", 0),
    ("asdf exec", "", 0),
    ("rbenv exec", "", 0),
    ("pyenv exec", "", 0),
    ("direnv exec", "", 1),
    ("devbox run", "-c --config -e --env", 0),
    ("bundle exec", "--gemfile", 0),
    ("composer exec", "-d --working-dir", 0),
    ("rustup run", "", 1),
    ("dotnet tool run", "", 0),
    ("nix develop", "--argstr --arg", -1),
    ("nix shell", "--argstr --arg", -1),
    ("docker exec", "-e --env --env-file -u --user -w --workdir --detach-keys", 1),
    (
        "docker run",
        (
            "-e --env --env-file -u --user -w --workdir -v --volume --mount --name --network --net "
            "-p --publish --entrypoint --platform -h --hostname -m --memory --cpus --gpus "
            "--shm-size "
            "--add-host --cap-add --security-opt --ulimit -l --label --pull"
        ),
        1,
    ),
    (
        "docker compose exec",
        "-f --file -p --project-name --profile --env-file -e --env -u --user -w --workdir --index",
        1,
    ),
    (
        "docker compose run",
        (
            "-f --file -p --project-name --profile --env-file -e --env -u --user -w --workdir -v "
            "--volume --name --entrypoint --publish -l --label"
        ),
        1,
    ),
    ("kubectl exec", "-n --namespace -c --container --context", -1),
    ("ssh", "-p -i -o -l -L -R -F -J", 1),
    ("vendor/bin/sail", "", 0),
)
