"""Stand-ins on loopback of the APIs that other hosts ask: Gemini, Chat Completions, Responses.

Requests with tools take the next scripted answer; those without (titles) get a short text.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.e2e.stub import Answer, Run, Say, Use

_SHELLS = ("run_shell_command", "exec_command", "bash")


def stream(path: str, body: dict[str, Any], answer: Answer, number: int) -> list[dict[str, Any]]:
    """The events of one answer in the form of the API that ``path`` belongs to."""
    text = answer.text if isinstance(answer, Say) else ""
    tools = json.dumps(body.get("tools", ""))
    name = next((it for it in _SHELLS if f'"{it}"' in tools), "")
    asked = {"command": answer.command, "description": "test"} if isinstance(answer, Run) else {}
    name, asked = answer if isinstance(answer, Use) else (name, asked)
    if "enerateContent" in path:
        part = {"text": text} if text else {"functionCall": {"name": name, "args": asked}}
        content = {"role": "model", "parts": [part]}
        return [{"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}]
    if path.endswith("/responses"):
        item: dict[str, Any] = {"id": f"i{number}", "status": "completed"}
        if text:
            content = [{"type": "output_text", "text": text, "annotations": []}]  # type: ignore
            item |= {"type": "message", "role": "assistant", "content": content}
        else:
            call = {"name": name, "arguments": json.dumps(asked | {"cmd": asked.get("command")})}
            item |= {"type": "function_call", "call_id": f"call_{number}", **call}
        usage = dict.fromkeys(("input_tokens", "output_tokens", "total_tokens"), 10)
        done = {"id": f"r{number}", "status": "completed", "output": [item], "usage": usage}
        return [
            {"type": "response.created", "response": {**done, "output": []}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": done},
        ]
    function = {"name": name, "arguments": json.dumps(asked)}
    calls = [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]
    delta = {"role": "assistant", **({"content": text} if text else {"tool_calls": calls})}
    base = {"id": f"c{number}", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    end = {"index": 0, "delta": {}, "finish_reason": "stop" if text else "tool_calls"}
    first = {"index": 0, "delta": delta, "finish_reason": None}
    return [{**base, "choices": [first]}, {**base, "choices": [end]}]


@contextmanager
def model_stub(answers: list[Answer], requests: list[str]) -> Iterator[str]:
    """Serve ``answers`` in order, keep the bodies of their requests, give the address."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            path = self.path.partition("?")[0]
            answer: Answer = Say("A short title")
            with lock:
                if body.get("tools"):
                    requests.append(json.dumps(body))
                    answer = answers.pop(0) if answers else Say("No answer was left.")
            events = stream(path, body, answer, len(requests))
            lines = [
                f"event: {it['type']}\ndata: {json.dumps(it)}\n\n"
                if "type" in it
                else f"data: {json.dumps(it)}\n\n"
                for it in events
            ]
            is_chat = path.endswith("/completions")
            self.reply("".join(lines) + ("data: [DONE]\n\n" if is_chat else ""))

        def do_GET(self) -> None:
            self.send_error(404)

        def reply(self, text: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
