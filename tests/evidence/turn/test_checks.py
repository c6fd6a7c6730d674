"""What counts as a check of a claim, and what only changes a state or lists it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidence.turns import Act, bash, call, edit, matches, reading, recorded, task, write

PY, JS, GO, RUST = edit("shop/cart.py"), edit("src/cart.ts"), edit("shop/cart.go"), edit("cart.rs")
JAVA, RUBY, PHP = edit("src/main/java/Cart.java"), edit("app/cart.rb"), edit("src/Cart.php")
CSHARP, HCL, YAML = edit("Shop/Cart.cs"), edit("infra/main.tf"), edit("k8s/cart.yaml")
WORKS, FIXED, VERIFIED = "The cart works now.", "The cart bug is fixed.", "I verified the cart."
SUCCESS = "The checkout now works correctly."

#: An edit behind the last run, and whether the run still speaks of the program.
BEHIND_A_RUN: list[tuple[str, str, list[Act], str]] = [
    (
        "python",
        WORKS,
        [PY, bash("python cart.py", "3.50"), edit("tests/test_cart.py")],
        "qualified",
    ),
    ("node", WORKS, [JS, bash("node cart.js", "3.50"), edit("src/cart.test.ts")], "qualified"),
    ("go", WORKS, [GO, bash("go run ./shop", "3.50"), edit("shop/cart_test.go")], "qualified"),
    (
        "java",
        FIXED,
        [JAVA, bash("mvn -q exec:java", "3.50"), edit("src/test/java/CartTest.java")],
        "qualified",
    ),
    (
        "ruby",
        FIXED,
        [RUBY, bash("ruby app/cart.rb", "3.5"), write("spec/cart_spec.rb", "")],
        "qualified",
    ),
    ("the program", WORKS, [PY, bash("python cart.py", "3.50"), PY], "unsupported"),
    (
        "both",
        WORKS,
        [JS, bash("node cart.js", "3.50"), edit("src/cart.test.ts"), edit("src/price.ts")],
        "unsupported",
    ),
    (
        "the tests themselves",
        "The cart tests work now.",
        [PY, bash("pytest -q", "3 passed in 0.1s"), edit("tests/test_cart.py")],
        "unsupported",
    ),
]


@pytest.mark.parametrize(
    ("message", "acts", "status"),
    [row[1:] for row in BEHIND_A_RUN],
    ids=[row[0] for row in BEHIND_A_RUN],
)
def test_a_test_edited_behind_a_run_leaves_the_program_as_it_was(
    tmp_path: Path, message: str, acts: list[Act], status: str
) -> None:
    found = matches(tmp_path, message, acts)
    assert {m.verdict.status for m in found if m.verdict} == {status}


NOT_A_CHECK: list[tuple[str, str, str, list[Act]]] = [
    ("pod deleted", FIXED, "fixed", [YAML, bash("kubectl delete pod cart-0", 'pod "cart-0" gone')]),
    (
        "manifest applied",
        WORKS,
        "works",
        [YAML, bash("kubectl apply -f k8s/cart.yaml", "deployment.apps/cart configured")],
    ),
    (
        "rollout restarted",
        VERIFIED,
        "verified",
        [YAML, bash("kubectl rollout restart deploy/cart", "deployment.apps/cart restarted")],
    ),
    (
        "chart upgraded",
        WORKS,
        "works",
        [YAML, bash("helm upgrade cart ./chart", 'Release "cart" has been upgraded.')],
    ),
    (
        "containers brought up",
        WORKS,
        "works",
        [JS, bash("docker compose up -d --build", " Container shop-web-1  Started")],
    ),
    ("service restarted", FIXED, "fixed", [PY, bash("sudo systemctl restart cart", "")]),
    ("committed", FIXED, "fixed", [GO, bash("git commit -am fix", "[main 1a2b3c4] fix")]),
    ("file copied", WORKS, "works", [RUST, bash("mkdir -p out && cp cart.rs out/", "")]),
    ("installed", WORKS, "works", [JS, bash("npm install", "added 3 packages in 1s")]),
    ("migrated", FIXED, "fixed", [RUBY, bash("bin/rails db:migrate", "== AddCart: migrated")]),
    (
        "infrastructure applied",
        WORKS,
        "works",
        [HCL, bash("terraform apply -auto-approve", "Apply complete! Resources: 1 added.")],
    ),
    ("deployed by a script", WORKS, "works", [PHP, bash("./scripts/deploy.sh", "uploading")]),
]


@pytest.mark.parametrize(
    ("message", "claim", "acts"),
    [row[1:] for row in NOT_A_CHECK],
    ids=[row[0] for row in NOT_A_CHECK],
)
def test_what_changes_a_state_checks_nothing(
    tmp_path: Path, message: str, claim: str, acts: list[Act]
) -> None:
    assert verdict(tmp_path, message, claim, acts) == "unsupported"


COMPILED: list[tuple[str, str, str, str, list[Act]]] = [
    ("it works, go", SUCCESS, "works", "unsupported", [GO, bash("go build ./...", "")]),
    ("it works, rust", WORKS, "works", "unsupported", [RUST, bash("cargo build", "Finished")]),
    ("it works, bundle", SUCCESS, "works", "unsupported", [JS, bash("npx vite build", "built")]),
    ("it works, java", WORKS, "works", "unsupported", [JAVA, bash("mvn compile", "BUILD SUCCESS")]),
    ("verified, c#", VERIFIED, "verified", "unsupported", [CSHARP, bash("dotnet build", "")]),
    (
        "the error of a build",
        "The compile error in the cart is fixed.",
        "fixed",
        "qualified",
        [GO, bash("go build ./...", "")],
    ),
    (
        "a build that failed before",
        FIXED,
        "fixed",
        "qualified",
        [
            RUST,
            bash("cargo build", "error[E0308]: mismatched types\n --> cart.rs:3:5", 101),
            RUST,
            bash("cargo build", "    Finished `dev` profile in 0.1s"),
        ],
    ),
    (
        "tests written after the build",
        "The project builds without errors.",
        "build_ok",
        "supported",
        [JS, bash("npm run build", "built in 2s"), write("src/cart.test.ts", "it('adds')")],
    ),
    (
        "tests written after the compiler ran",
        "The code compiles cleanly.",
        "build_ok",
        "supported",
        [GO, bash("go build ./...", ""), write("shop/cart_test.go", "package shop")],
    ),
    (
        "source edited after the build",
        "The project builds without errors.",
        "build_ok",
        "unsupported",
        [bash("npm run build", "built in 2s"), JS],
    ),
]


@pytest.mark.parametrize(
    ("message", "claim", "wanted", "acts"),
    [row[1:] for row in COMPILED],
    ids=[row[0] for row in COMPILED],
)
def test_a_build_shows_that_it_compiles(
    tmp_path: Path, message: str, claim: str, wanted: str, acts: list[Act]
) -> None:
    assert verdict(tmp_path, message, claim, acts) == wanted


HOST = "http://localhost:8080"
SHOWN: list[tuple[str, str, list[Act]]] = [
    ("a status", "not_checkable", [PY, bash(f"curl -i {HOST}/cart", "HTTP/1.1 200 OK\n\n[]")]),
    (
        "a status alone",
        "not_checkable",
        [GO, bash(f"curl -s -o /dev/null -w '%{{http_code}}' {HOST}/cart", "204")],
    ),
    ("a body", "not_checkable", [JS, bash(f"curl -s {HOST}/cart | jq .total", "42")]),
    (
        "no errors in the answer",
        "not_checkable",
        [PHP, bash(f"curl -s {HOST}/graphql -d @q.json", '{"data":{"cart":1},"errors":[]}')],
    ),
    (
        "rows",
        "not_checkable",
        [RUBY, bash("psql shop -c 'SELECT * FROM carts'", " id | total\n----\n  1 |  42\n(1 row)")],
    ),
    (
        "a document",
        "not_checkable",
        [JS, bash("mongosh shop --eval 'db.carts.find()'", "[ { _id: 1, total: 42 } ]")],
    ),
    (
        "inside a container",
        "not_checkable",
        [JAVA, bash("docker exec web curl -s http://cart/health", '{"status":"UP"}')],
    ),
    ("rails runner", "not_checkable", [RUBY, bash('bin/rails runner "puts Cart.total"', "42")]),
    ("tinker", "not_checkable", [PHP, bash("php artisan tinker --execute='echo 1;'", "1")]),
    (
        "node -e",
        "not_checkable",
        [JS, bash("node -e \"console.log(require('./cart'))\"", "{ a: 1 }")],
    ),
    ("python -c", "not_checkable", [PY, bash('python -c "import shop.cart; print(1)"', "1")]),
    ("dotnet run", "not_checkable", [CSHARP, bash("dotnet run --project Shop", "total 42")]),
    (
        "a step in a browser",
        "not_checkable",
        [JS, call("mcp__playwright__browser_click", "Clicked. Page: /cart/done")],
    ),
    # what shows nothing, or an error
    ("a server error", "unsupported", [PY, bash(f"curl -i {HOST}/cart", "HTTP/1.1 502 Bad")]),
    ("refused", "unsupported", [GO, bash(f"curl {HOST}", "curl: (7) Failed to connect", 7)]),
    (
        "an error in the answer",
        "unsupported",
        [PHP, bash(f"curl -s {HOST}/cart", '{"error": "no such cart"}')],
    ),
    ("no rows", "unsupported", [RUBY, bash("psql -c 'SELECT 1 FROM x'", " id\n----\n(0 rows)")]),
    ("rows written", "unsupported", [JAVA, bash("mysql -e 'UPDATE carts SET a=1'", "Query OK")]),
    ("a download", "unsupported", [JS, bash("curl -fsSL https://example.org/a.tgz | tar xz", "")]),
    ("a page read", "unsupported", [RUST, bash("curl -s https://example.org/manual", "Manual")]),
    ("before the edit", "unsupported", [bash(f"curl -i {HOST}", "HTTP/1.1 200 OK"), CSHARP]),
    ("an error in the browser", "unsupported", [JS, call("mcp__puppeteer_click", "Error: no a")]),
]


@pytest.mark.parametrize(
    ("wanted", "acts"), [row[1:] for row in SHOWN], ids=[row[0] for row in SHOWN]
)
def test_a_look_at_the_running_thing_is_a_check(
    tmp_path: Path, wanted: str, acts: list[Act]
) -> None:
    assert verdict(tmp_path, WORKS, "works", acts) == wanted


PODS = "NAME  READY  STATUS  RESTARTS  AGE\n"
APPLIED = bash("kubectl apply -f k8s/cart.yaml", "deployment.apps/cart configured")
UP = bash("docker compose up -d cart", " Container shop-cart-1  Started")
TESTED = bash("pytest -q", recorded("pytest", "passed"))
GET, PS = "kubectl get pods", "docker compose ps"
STATES: list[tuple[str, str, str, str, list[Act]]] = [
    (
        "waiting for another",
        "I've successfully resolved the deployment issue.",
        "fixed",
        "unsupported",
        [YAML, APPLIED, bash(GET, f"{PODS}cart-7d4b9c-x2x 0/1 Init:0/1 0 4m")],
    ),
    (
        "crashing",
        FIXED,
        "fixed",
        "contradicted",
        [YAML, APPLIED, bash(GET, f"{PODS}cart-7d4b9c-x2x 0/1 CrashLoopBackOff 5 4m")],
    ),
    (
        "running, not ready",
        WORKS,
        "works",
        "unsupported",
        [YAML, APPLIED, bash(GET, f"{PODS}cart-7d4b9c-x2x 0/1 Running 0 9s")],
    ),
    (
        "a container that ended",
        WORKS,
        "works",
        "contradicted",
        [JS, UP, bash("docker ps -a", '3f1c shop-cart "node" 5s ago Exited (1) 2s ago cart')],
    ),
    (
        "unhealthy",
        VERIFIED,
        "verified",
        "contradicted",
        [JS, UP, bash(PS, "shop-cart-1 shop-cart running (unhealthy) cart")],
    ),
    (
        "a unit that failed",
        WORKS,
        "works",
        "contradicted",
        [PY, bash("systemctl status cart", "cart.service - Cart\n   Active: failed (Result: 1)")],
    ),
    (
        "a process manager",
        WORKS,
        "works",
        "contradicted",
        [JS, bash("pm2 list", "| 0 | cart | fork | 12 | errored |")],
    ),
    (
        "a log that waits",
        FIXED,
        "fixed",
        "unsupported",
        [YAML, APPLIED, bash("kubectl logs cart-0", "started\nWaiting for the database ...")],
    ),
    # all well, or about something else
    (
        "ready",
        WORKS,
        "works",
        "not_checkable",  # a listing shows that it runs, not how
        [YAML, APPLIED, bash(GET, f"{PODS}cart-7d4b9c-x2x 1/1 Running 0 4m")],
    ),
    (
        "another thing",
        FIXED,
        "fixed",
        "supported",
        [PY, TESTED, bash("docker ps -a", '9a8b mail "smtp" 3w ago Exited (1) 3w ago mail')],
    ),
    (
        "replaced by one that runs",
        FIXED,
        "fixed",
        "supported",
        [
            PY,
            TESTED,
            bash(GET, f"{PODS}cart-aa11-b 0/1 Error 3 9m\ncart-cc22-d 1/1 Running 0 1m"),
        ],
    ),
    (
        "well in the end",
        FIXED,
        "fixed",
        "supported",
        [
            PY,
            TESTED,
            bash(GET, f"{PODS}cart-0 0/1 Pending 0 1s"),
            bash(GET, f"{PODS}cart-0 1/1 Running 0 9s"),
        ],
    ),
    (
        "ended well",
        FIXED,
        "fixed",
        "supported",
        [PY, TESTED, bash("docker ps -a", '3f1c cart "sh" 5s ago Exited (0) 2s ago cart')],
    ),
    (
        "a unit that failed once",
        FIXED,
        "fixed",
        "supported",
        [
            PY,
            TESTED,
            bash(
                "systemctl status cart",
                "cart.service\n   Active: active (running)\nNov 1 sd[1]: cart.service failed",
            ),
        ],
    ),
    (
        "events of before",
        FIXED,
        "fixed",
        "supported",
        [PY, TESTED, bash("kubectl get events", "9m Warning Failed pod/cart-0 Error: pull")],
    ),
    (
        "a definition",
        FIXED,
        "fixed",
        "supported",
        [PY, TESTED, bash("kubectl get pod cart-0 -o yaml", "name: cart\nreason: Error cart")],
    ),
    (
        "a running unit",
        FIXED,
        "fixed",
        "supported",
        [PY, TESTED, bash("systemctl status cart", "cart.service\n   Active: active (running)")],
    ),
]


@pytest.mark.parametrize(
    ("message", "claim", "wanted", "acts"),
    [row[1:] for row in STATES],
    ids=[row[0] for row in STATES],
)
def test_the_last_listing_speaks(
    tmp_path: Path, message: str, claim: str, wanted: str, acts: list[Act]
) -> None:
    assert verdict(tmp_path, message, claim, acts) == wanted


def test_a_listing_that_the_message_tells_of_itself_is_no_contradiction(tmp_path: Path) -> None:
    acts = [YAML, APPLIED, bash(GET, f"{PODS}cart-0 0/1 CrashLoopBackOff 5 4m")]
    message = "The cart bug is fixed. The pod still crashes with an error."
    assert verdict(tmp_path, message, "fixed", acts) == "qualified"


COMMIT = bash("git commit -am 'Sum the cart'", "[main 1a2b3c4] Sum the cart\n 1 file changed")
PUSH = bash("git push", "To github.com:a/shop.git\n   9f8e7d6..1a2b3c4  main -> main")
RESTARTED = bash("kubectl rollout restart deploy/cart", "deployment.apps/cart restarted")
RELOADED = bash("helm upgrade cart ./chart", 'Release "cart" has been upgraded.')
#: name, message, verdict, what the turn did
LEFT_OPEN: list[tuple[str, str, str, list[Act]]] = [
    ("restarted, nothing edited", FIXED, "unsupported", [RESTARTED]),
    ("upgraded, nothing edited", "The cart bug is fixed.", "unsupported", [RELOADED]),
    ("brought up", "The cart bug is fixed.", "unsupported", [UP]),
    ("migrated", FIXED, "unsupported", [bash("bin/rails db:migrate", "== AddCart: migrated")]),
    ("deployed", FIXED, "unsupported", [bash("npm run deploy", "uploading")]),
    ("looked at afterwards", FIXED, "not_checkable", [RESTARTED, bash("kubectl get po", "cart")]),
    ("what it tells itself", "Fixed: the cart is running again.", "not_checkable", [RESTARTED]),
    # what others did after the edit
    ("another agent, python", FIXED, "qualified", [PY, task("The tests passed.")]),
    ("another agent before, go", FIXED, "unsupported", [task("The tests passed."), GO]),
    ("an unknown tool, rust", FIXED, "qualified", [RUST, call("mcp__ide__run", "ok")]),
    ("an unknown tool before, php", FIXED, "unsupported", [call("mcp__ide__run", "ok"), PHP]),
    ("a page of the web, ruby", FIXED, "unsupported", [RUBY, call("WebFetch", "Rails guides")]),
]


@pytest.mark.parametrize(
    ("message", "wanted", "acts"), [row[1:] for row in LEFT_OPEN], ids=[row[0] for row in LEFT_OPEN]
)
def test_what_changed_and_what_others_did(
    tmp_path: Path, message: str, wanted: str, acts: list[Act]
) -> None:
    assert verdict(tmp_path, message, "fixed", acts) == wanted


def test_hidden_output_may_hold_a_push(tmp_path: Path) -> None:
    shown = "[main 1a2b3c4] Sum the cart"
    hidden = bash("git commit -m 'Sum the cart'", f"{shown}\n... [14 lines truncated] ...")
    message = "Updated and pushed."
    assert verdict(tmp_path, message, "pushed", [GO, hidden]) == "not_checkable"
    assert verdict(tmp_path, message, "pushed", [GO, bash("git commit -am x", shown)]) == (
        "unsupported"
    )


OPERATIONS: list[tuple[str, str, str, list[Act]]] = [
    ("all committed", "Everything is committed on the branch.", "supported", [GO, COMMIT]),
    (
        "all committed and pushed",
        "Everything is committed and pushed.",
        "supported",
        [COMMIT, PUSH],
    ),
    ("not pushed", "Everything is committed and pushed.", "not_checkable", [RUST, COMMIT]),
    ("edited since", "Everything is committed.", "not_checkable", [COMMIT, JS]),
    ("no commit", "Everything is committed.", "not_checkable", [PHP, reading("a.php", "a")]),
]


@pytest.mark.parametrize(
    ("message", "wanted", "acts"),
    [row[1:] for row in OPERATIONS],
    ids=[row[0] for row in OPERATIONS],
)
def test_an_operation_is_shown_by_its_command(
    tmp_path: Path, message: str, wanted: str, acts: list[Act]
) -> None:
    assert verdict(tmp_path, message, "done", acts) == wanted


def verdict(folder: Path, message: str, claim: str, acts: list[Act]) -> str:
    found = matches(folder, message, acts)
    told = [one.verdict for one in found if one.marker.claim == claim and one.verdict]
    assert told, [(one.marker.id, one.marker.claim) for one in found]
    return told[0].status
