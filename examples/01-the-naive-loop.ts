/**
 * What most loops do: go on while the model asks for tools, and take its silence for success.
 * The agent says "done", the loop believes it, and the check is red.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { check, hastyAgent, task } from './hasty-agent.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const agent = hastyAgent(folder)

let turn = 0
let isDone = false
while (!isDone) {
  turn += 1
  const answer = await agent.next(
    {
      runId: 'naive',
      turn,
      attempt: 1,
      replies: turn - 1,
      conversation: { task, rounds: [], messages: [] },
      tools: [],
      maxOutputTokens: 1000,
      onText: (piece) => console.log(`agent: ${piece}`),
    },
    new AbortController().signal,
  )
  isDone = answer.kind === 'replied' && answer.toolCalls.length === 0
}

const { status } = spawnSync(check, { cwd: folder, shell: true })
rmSync(folder, { recursive: true })
console.log(`the loop: done after turn ${turn}; the check: exit code ${status ?? 'none'}`)

// prints: the loop: done after turn 1; the check: exit code 1
