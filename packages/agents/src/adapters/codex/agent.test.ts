import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyConversation } from '@donecheck/core/internal/state'
import type { Agent, AgentResponse, AgentRequest } from '@donecheck/engine/internal/ports/loop'
import { agentContract } from '@donecheck/engine/internal/testing/contracts'
import { codexAgent } from './agent.ts'

let root = ''

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-codex-')))
  await symlink(join(import.meta.dirname, 'fixtures/scripted-codex.ts'), join(root, 'codex'))
})

afterAll(() => rm(root, { recursive: true, force: true }))

const path = () => [root, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)

async function place(): Promise<string> {
  const folder = await mkdtemp(join(root, 'work-'))
  await mkdir(join(folder, 'home'))
  return folder
}

function agentIn(folder: string, does: string): Agent {
  const environment = { PATH: path(), HOME: join(folder, 'home'), SCRIPTED_CODEX: does }
  return codexAgent({ folder, environment, timeoutMs: 30_000 })
}

function ask(agent: Agent, session?: string, onFinding?: AgentRequest['onFinding']): Promise<AgentResponse> {
  const request = {
    ...{ runId: 'run-1', turn: 1, attempt: 1, replies: 0, tools: [], maxOutputTokens: 1000 },
    conversation: { ...emptyConversation, task: 'Make it green.' },
    onText: () => undefined,
    ...(session === undefined ? {} : { session }),
    ...(onFinding === undefined ? {} : { onFinding }),
  }
  return agent.next(request, new AbortController().signal)
}

/** A zombie does not count as alive. */
function isAlive(processId: string): boolean {
  const file = `/proc/${processId.trim()}/stat`
  return existsSync(file) && !/^\d+ \(.*\) Z/s.test(readFileSync(file, 'utf8'))
}

describe('over the app-server', () => {
  let folder = ''

  agentContract('codex', {
    replying: async () => agentIn(await place(), 'replying'),
    failing: async () => agentIn(await place(), 'failing'),
    hanging: async (onStart) => {
      folder = await place()
      const agent = agentIn(folder, 'hanging')
      // Its child is there before its words are.
      const next: Agent['next'] = (request, signal) => agent.next({ ...request, onText: onStart }, signal)
      return { description: agent.description, next }
    },
    isAtWork: async () =>
      existsSync(join(folder, 'child')) && isAlive(await readFile(join(folder, 'child'), 'utf8')),
  })

  it('books a thread that is gone on with once', async () => {
    const agent = agentIn(await place(), 'replying')
    for (const answer of [await ask(agent), await ask(agent)])
      expect(answer).toMatchObject({ kind: 'replied', finish: 'stop', usage: { inputTokens: 10 } })
  })
})

describe('given a Codex that begins a turn by itself', () => {
  async function found(does: string) {
    const findings: string[] = []
    const agent = agentIn(await place(), does)
    const answers = [
      await ask(agent, 'thread-1', ({ message }) => findings.push(message)),
      await ask(agent, 'thread-1', ({ message }) => findings.push(message)),
    ]
    return { findings, answers }
  }

  it('at the end of ours: it is interrupted, and what it has used is booked with ours', async () => {
    const { findings, answers } = await found('goes-on')
    expect(answers).toMatchObject([
      { kind: 'replied', finish: 'tool-calls', usage: { inputTokens: 10 } },
      { kind: 'replied', finish: 'stop', usage: { inputTokens: 7 } },
    ])
    expect(findings).toEqual(['Codex began a turn by itself: it is interrupted'])
  })

  it('before ours: it is ours', async () => {
    const { findings, answers } = await found('begins-before')
    expect(answers[0]).toMatchObject({ kind: 'replied', finish: 'stop', usage: { inputTokens: 10 } })
    expect(findings[0]).toBe('Codex had begun a turn by itself: it counts as the one that was asked for')
  })
})

describe('given a Codex without an app-server', () => {
  it('fails for good, and tells the way out', async () => {
    const answer = await ask(agentIn(await place(), 'no-app-server'))
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'configuration', retryable: false } })
    const said = answer.kind === 'failed' ? answer.failure.message : ''
    expect(said).toContain("unrecognized subcommand 'app-server'")
    expect(said).toContain("--agent 'codex exec {prompt}'")
  })
})

describe('given words', () => {
  it('says whether what is allowed stays in a sandbox', () => {
    const sandboxOf = (...words: readonly string[]) =>
      codexAgent({ folder: root, words, timeoutMs: null }).own?.sandbox
    expect(sandboxOf()).toEqual({ isConfined: true })
    expect(sandboxOf('--yolo')).toEqual({ isConfined: false })
  })
})
