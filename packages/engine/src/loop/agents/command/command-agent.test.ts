import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyConversation } from '@donecheck/core/internal/state'
import type { AgentRequest } from '../../../ports/loop.ts'
import { agentContract } from '../../../testing/contracts/agent-contract.ts'
import { commandAgent, type CommandAgentOptions } from '../command-agent.ts'

let folder = ''

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-agent-')))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

function agentOf(command: string, options: Partial<CommandAgentOptions> = {}) {
  return commandAgent({ command, folder, timeoutMs: 30_000, ...options })
}

function request(task: string, changes: Partial<AgentRequest> = {}): AgentRequest {
  return {
    runId: 'run-1',
    turn: 1,
    attempt: 1,
    replies: 0,
    conversation: { ...emptyConversation, task },
    tools: [],
    maxOutputTokens: 1000,
    onText: () => undefined,
    ...changes,
  }
}

function ask(command: string, task = 'Make it green.', options: Partial<CommandAgentOptions> = {}) {
  return agentOf(command, options).next(request(task), new AbortController().signal)
}

async function textOf(command: string, task: string): Promise<string> {
  const answer = await ask(command, task)
  return answer.kind === 'replied' ? answer.text : `failed: ${answer.failure.message}`
}

/** A zombie process is not alive. */
function isAlive(processId: string): boolean {
  const file = `/proc/${processId.trim()}/stat`
  return existsSync(file) && !/^\d+ \(.*\) Z/s.test(readFileSync(file, 'utf8'))
}

agentContract('command', {
  replying: () => agentOf('echo "It is done."'),
  failing: () => agentOf('no-such-agent-here'),
  hanging: (onStart) => {
    const agent = agentOf('sleep 1000 & echo $! > child; echo ready; wait')
    return {
      description: agent.description,
      next: (asked, signal) => agent.next({ ...asked, onText: onStart }, signal),
    }
  },
  isAtWork: async () => isAlive(await readFile(join(folder, 'child'), 'utf8')),
})

describe('given a prompt that would like to be shell', () => {
  const hostile = [
    `$(touch owned)`,
    '`touch owned`',
    `"; touch owned; "`,
    `'; touch owned; '`,
    `" $(touch owned) '"'"' ; touch owned #`,
    'first line\ntouch owned\n',
    '* ~ $HOME ${HOME} \\ \\\\ !! $1 {prompt}',
    '--help',
    'grüße 🍐',
  ]

  it.each(hostile)('hands %j on as one argument', async (task) => {
    for (const place of ['{prompt}', '"{prompt}"', "'{prompt}'"]) {
      expect(await textOf(`printf '[%s]' ${place}`, task)).toBe(`[${task}]`)
    }
    expect(existsSync(join(folder, 'owned'))).toBe(false)
  })

  it.each(hostile)('hands %j on as input', async (task) => {
    expect(await textOf('echo "["; cat; echo "]"', task)).toBe(`[\n${task}]`)
    expect(existsSync(join(folder, 'owned'))).toBe(false)
  })
})
describe('given an agent that misbehaves', () => {
  it('makes one turn of 50 MB', async () => {
    const answer = await ask('yes 0123456789abcde | head -c 52428800')
    expect(answer).toMatchObject({ kind: 'replied' })
    const text = answer.kind === 'replied' ? answer.text : ''
    expect(text.length).toBeLessThan(62_000)
    expect(text).toContain('bytes left out')
    expect(answer.kind === 'replied' && answer.problem).toContain('52428800 bytes')
  })

  it('makes one turn of a hang, and leaves no child', async () => {
    const answer = await ask('sleep 1000 & echo $! > child; wait', 'task', { timeoutMs: 300 })
    expect(answer).toMatchObject({ kind: 'replied', text: '' })
    expect(answer.kind === 'replied' && answer.problem).toContain('did not end within 0.3 s')
    expect(isAlive(await readFile(join(folder, 'child'), 'utf8'))).toBe(false)
  })

  it('does not wait for a daemon that it leaves behind', async () => {
    const answer = await ask('sleep 1000 & echo $! > child; echo done')
    expect(answer).toMatchObject({ kind: 'replied', text: 'done' })
    expect(isAlive(await readFile(join(folder, 'child'), 'utf8'))).toBe(false)
  })
})

describe('given an environment', () => {
  it('works in the folder and says only its stdout while it works', async () => {
    const pieces: string[] = []
    const agent = agentOf('pwd; echo log >&2')
    await agent.next(request('task', { onText: (piece) => pieces.push(piece) }), new AbortController().signal)
    expect(pieces.join('')).toBe(`${folder}\n`)
  })
})
