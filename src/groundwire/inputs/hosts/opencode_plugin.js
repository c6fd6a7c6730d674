// Written by `groundwire install --host opencode`: when a session is idle, its messages go to
// groundwire, and a reason to go on comes back as the next prompt.
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const COMMAND = []

const ask = (event) =>
  new Promise((resolve) => {
    const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "ignore"] })
    const late = setTimeout(() => child.kill(), 20000)
    let out = ""
    child.stdout.on("data", (data) => (out += data))
    child.on("error", () => resolve({}))
    child.stdin.on("error", () => {})
    child.on("close", () => {
      clearTimeout(late)
      try {
        resolve(JSON.parse(out))
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify(event))
  })

export const Groundwire = async ({ client, directory }) => ({
  event: async ({ event }) => {
    if (event.type !== "session.idle") return
    const path = { id: event.properties.sessionID }
    const info = (await client.session.get({ path })).data
    if (!info || info.parentID) return // the session of a sub-agent
    const folder = await mkdtemp(join(tmpdir(), "groundwire-"))
    const file = join(folder, "session.json")
    try {
      const messages = (await client.session.messages({ path })).data
      await writeFile(file, JSON.stringify({ info, messages }), { mode: 0o600 })
      const answer = await ask({ ...event, cwd: directory, transcript_path: file })
      if (answer.decision !== "block") return
      const body = { parts: [{ type: "text", text: answer.reason }] }
      await client.session.prompt({ path, body })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})
