import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyConversation } from '@donecheck/core/internal/state'
import type { Agent, AgentResponse, AgentRequest } from '@donecheck/engine/internal/ports/loop'
import { agentContract } from '@donecheck/engine/internal/testing/contracts'
import { claudeCodeAgent } from '../agent.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-claude-asks-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
})

const never = new AbortController().signal

async function agentThat(does: string, words: readonly string[] = []): Promise<Agent> {
  const program = join(folder, 'claude')
  const script = join(import.meta.dirname, '../fixtures/scripted-claude.ts')
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${script}' ${does} "$@"\n`, {
    mode: 0o755,
  })
  return claudeCodeAgent({ folder, timeoutMs: null, program, words })
}

function request(more: Partial<AgentRequest> = {}): AgentRequest {
  return {
    ...{ runId: 'r', turn: 1, attempt: 1, replies: 0, tools: [], maxOutputTokens: 1000 },
    conversation: { ...emptyConversation, task: 'Do it.' },
    onText: () => undefined,
    ...more,
  }
}

async function replied(agent: Agent): Promise<Extract<AgentResponse, { kind: 'replied' }>> {
  const answer = await agent.next(request(), never)
  if (answer.kind !== 'replied') throw new Error(answer.failure.message)
  return answer
}

async function heard(): Promise<readonly Record<string, unknown>[]> {
  const lines = (await readFile(join(folder, 'heard'), 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

agentContract('claude-code, asked', {
  replying: () => agentThat('talks'),
  failing: () => claudeCodeAgent({ folder, timeoutMs: null, program: join(folder, 'no-such-claude') }),
  hanging: async (onStart) => {
    const agent = await agentThat('hangs')
    return {
      description: agent.description,
      next: (asked, signal) => agent.next({ ...asked, onText: onStart }, signal),
    }
  },
  isAtWork: async () => isAlive(await readFile(join(folder, 'child'), 'utf8')),
})

function isAlive(processId: string): boolean {
  const file = `/proc/${processId.trim()}/stat`
  return existsSync(file) && !/^\d+ \(.*\) Z/s.test(readFileSync(file, 'utf8'))
}

describe('given a call', () => {
  it('proposes it with what its reply has used, and runs it after a yes', async () => {
    const agent = await agentThat('asks')
    const answer = await replied(agent)
    expect(answer).toMatchObject({
      toolCalls: [{ callId: 'a', tool: 'Bash', args: { command: 'ls' } }],
      usage: { inputTokens: 10, outputTokens: 1 },
    })
    const tool = agent.own?.toolOf('a')
    expect(tool).toMatchObject({ isAsked: true, hasOwnPermissions: true })
    const prepared = await tool?.prepare({ command: 'ls' })
    if (prepared?.kind !== 'ready') throw new Error('it cannot be run')
    expect(await prepared.run(never)).toEqual({ status: 'ok', output: 'listed' })
    expect(await replied(agent)).toMatchObject({ text: 'It is done.', finish: 'stop' })
    const [opening, prompt, given] = await heard()
    expect(opening).toMatchObject({ request: { subtype: 'initialize' } })
    expect(prompt).toMatchObject({ type: 'user', message: { role: 'user' } })
    expect(given).toMatchObject({ response: { request_id: 'hook', response: {} } })
  })

  it('refuses it with the reason, and the turn goes on', async () => {
    const agent = await agentThat('asks')
    await replied(agent)
    await agent.own?.refuse('a', 'a rule forbids it')
    expect(await replied(agent)).toMatchObject({ text: 'It is done.' })
    expect(JSON.stringify((await heard())[2])).toContain('a rule forbids it')
  })
})

describe('given a turn that is broken off', () => {
  it('interrupts it first', async () => {
    const agent = await agentThat('asks')
    await replied(agent)
    await agent.own?.cancel()
    expect((await heard()).at(-1)).toMatchObject({ request: { subtype: 'interrupt' } })
  })
})

describe('given a version that cannot be asked', () => {
  it.each(['knows-no-words', 'refuses-hooks'])('fails before its first call: it %s', async (does) => {
    const agent = await agentThat(does)
    const answer = await agent.next(request(), never)
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'configuration' } })
    expect(answer.kind === 'failed' && answer.failure.message).toContain('Use a newer Claude Code')
  })

  it('is not even begun, with a word by which no hook runs', async () => {
    await expect(agentThat('talks', ['--bare'])).rejects.toThrow('it runs no hooks')
  })
})
