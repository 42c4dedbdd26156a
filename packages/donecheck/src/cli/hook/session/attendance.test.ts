/** The processes above a hook as they were seen with the real agents; Cursor's from what is known of its installation. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, afterAll } from 'vitest'
import type { HostEvent } from '@donecheck/agents/host'
import type { ProcessView } from '@donecheck/engine/process'
import { readHookCall } from '../input/call.ts'
import { type HookRequest, choicesOf } from '../input/request.ts'
import { isAttended, readFirstLine } from './attendance.ts'
import { execFileSync } from 'node:child_process'

const node = '/usr/bin/node'
const modules = '/usr/local/lib/node_modules'

/** From the nearest on, without the words. */
const programs = {
  codex: [['codex']],
  gemini: [['node', '/usr/local/bin/gemini']],
  qwen: [
    [node, '--expose-gc', `${modules}/@qwen-code/qwen-code/cli.js`],
    ['node', '/usr/local/bin/qwen'],
  ],
  copilot: [[`${modules}/@github/copilot-linux-x64/copilot`], ['node', '/usr/local/bin/copilot']],
  cursor: [
    ['/home/a/.local/bin/cursor-agent', '--use-system-ca', '/home/a/cursor-agent/versions/1/index.js'],
  ],
} as const

type Agent = keyof typeof programs

const stops = { codex: 'Stop', gemini: 'AfterAgent', qwen: 'Stop', copilot: 'agentStop', cursor: 'stop' }

function machineOf(agent: Agent, words: readonly string[], usesTerminal = true): ProcessView {
  const own = programs[agent].map((program) => ({ words: [...program, ...words], hasTerminal: true }))
  const chain = [
    { words: ['/bin/sh', '-c', 'exec node donecheck.js hook'], hasTerminal: false },
    ...own,
    { words: ['bash', '--norc'], hasTerminal: true },
    { words: ['tmux', 'new-session'], hasTerminal: false },
    { words: ['/sbin/init'], hasTerminal: false },
  ]
  return {
    ancestors: () => chain.map((one, index) => ({ ...one, processId: 100 - index })),
    usesTerminal: () => usesTerminal,
  }
}

const question: HostEvent = {
  ...{ kind: 'stopping', text: 'Shall I?', asksUser: true },
  ...{ wasBlocked: false, waitingFor: [] },
}

function requestOf(agent: Agent, event = stops[agent], unattended?: boolean): HookRequest {
  const call = readHookCall([agent, event])
  if (typeof call === 'string') throw new TypeError(call)
  return {
    ...{ call, unattended, sessionId: 's', environment: {}, homeFolder: '/home/a' },
    ...{
      workFolder: '/w',
      storeFolder: '/s',
      sessionFile: '/r',
      configuration: { workFolder: '/w', config: {} },
    },
  }
}

const seen = (agent: Agent, words: readonly string[], usesTerminal = true) =>
  isAttended(question, requestOf(agent), machineOf(agent, words, usesTerminal)).request.unattended

describe('given an agent in a terminal', () => {
  it.each<[Agent, string[]]>([
    ['codex', []],
    ['codex', ['-m', 'gpt-5', 'what does x do?']],
    ['codex', ['resume', '--last']],
    ['codex', ['-p', 'work']],
    ['gemini', ['--skip-trust']],
    ['gemini', ['what does x do?']],
    ['gemini', ['-i', 'what does x do?']],
    ['qwen', []],
    ['qwen', ['-y', '--model', 'qwen3', '--approval-mode=plan']],
    ['qwen', ['-i', 'what does x do?']],
    ['copilot', ['--allow-all']],
    ['copilot', ['-i', 'what does x do?']],
    ['cursor', ['what does x do?']],
  ])('%s %j is attended, and a turn that changed nothing is allowed to stop', (agent, words) => {
    const { request, event } = isAttended(question, requestOf(agent), machineOf(agent, words))
    expect(request.unattended).toBe(false)
    expect(choicesOf(request).whenUnchanged).toBe('allow-stop')
    expect(event).toEqual(question)
  })
})

describe('given an agent with a task of its own', () => {
  it.each<[Agent, string[]]>([
    ['codex', ['exec', '--skip-git-repo-check', 'what is it']],
    ['codex', ['-m', 'gpt-5', 'e', 'what is it']],
    ['codex', ['review']],
    ['gemini', ['-p', 'what is it']],
    ['gemini', ['-yp', 'what is it']],
    ['gemini', ['--prompt=what is it']],
    ['qwen', ['what is it']],
    ['qwen', ['-y', '-p', 'what is it']],
    ['copilot', ['-p', 'what is it', '--allow-all']],
    ['cursor', ['-p', 'what is it']],
    ['cursor', ['--print', 'what is it']],
  ])('%s %j has nobody before it: its question is a claim', (agent, words) => {
    const { request, event } = isAttended(question, requestOf(agent), machineOf(agent, words))
    expect(request.unattended).toBe(true)
    expect(choicesOf(request).whenUnchanged).toBe('verify')
    expect(event).toEqual({ kind: 'stopping', text: 'Shall I?', wasBlocked: false, waitingFor: [] })
  })

  it.each<Agent>(['gemini', 'qwen', 'copilot', 'cursor'])('%s reads it from a pipe', (agent) => {
    expect(seen(agent, [], false)).toBe(true)
  })
})

describe('given an agent of which nobody can say whether it is attended', () => {
  it.each<[Agent, string[]]>([
    ['codex', ['app-server']],
    ['codex', ['mcp-server']],
    ['codex', ['something-new']],
    ['gemini', ['--acp']],
    ['qwen', ['--acp']],
    ['qwen', ['serve']],
    ['qwen', ['--input-format', 'stream-json']],
    ['qwen', ['--something-new', 'what is it']],
    ['copilot', ['--acp']],
    ['copilot', ['something-new']],
    ['cursor', ['acp']],
    ['cursor', ['-b', 'what is it']],
  ])('%s %j: what is unchanged is checked', (agent, words) => {
    for (const usesTerminal of [true, false]) expect(seen(agent, words, usesTerminal)).toBeUndefined()
    const { request, event } = isAttended(question, requestOf(agent), machineOf(agent, words))
    expect(choicesOf(request).whenUnchanged).toBe('verify')
    expect(event).toEqual(question)
  })
})

describe('given Codex, whose windows share a server', () => {
  const words = ['app-server', '--listen', 'unix://', '--analytics-default-enabled', '--managed-daemon']
  const seenWith = (record: string | undefined) =>
    isAttended(question, { ...requestOf('codex'), record }, machineOf('codex', words, false)).request
      .unattended

  it.each([
    ['a window', { type: 'session_meta', payload: { originator: 'codex-tui', source: 'vscode' } }, false],
    ['another client', { type: 'session_meta', payload: { originator: 'my_client' } }, undefined],
    ['words of somebody', { type: 'event', payload: { originator: 'codex-tui' } }, undefined],
  ])('goes by what its record says of who opened the session: %s', (_who, line, unattended) => {
    const folder = mkdtempSync(join(tmpdir(), 'donecheck-who-'))
    try {
      const record = join(folder, 'rollout.jsonl')
      writeFileSync(record, `${JSON.stringify(line)}\n{}\n`)
      expect(seenWith(record)).toBe(unattended)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('says nothing without one', () => {
    expect(seenWith(undefined)).toBeUndefined()
    expect(seenWith('/nowhere/rollout.jsonl')).toBeUndefined()
  })
})

describe('given more than what can be seen', () => {
  const attended = machineOf('codex', [])

  it('goes by what the agent says itself', () => {
    expect(isAttended(question, requestOf('codex', 'Stop', true), attended).request.unattended).toBe(true)
    const alone = machineOf('codex', ['exec', 'x'])
    expect(isAttended(question, requestOf('codex', 'Stop', false), alone).request.unattended).toBe(false)
  })

  it('looks at nothing but for a claim', () => {
    const never: ProcessView = {
      ancestors: () => expect.unreachable('nothing hangs on it'),
      usesTerminal: () => expect.unreachable('nothing hangs on it'),
    }
    for (const event of ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart'])
      expect(isAttended(question, requestOf('codex', event), never).request.unattended).toBeUndefined()
  })

  it('does not let a goal go that is called complete', () => {
    expect(
      isAttended(question, requestOf('codex', 'UpdateGoal'), attended).request.unattended,
    ).toBeUndefined()
  })

  it('does what was chosen when it was installed', () => {
    const request = requestOf('codex')
    const chosen = {
      ...request,
      configuration: { ...request.configuration, whenUnchanged: 'verify' as const },
    }
    expect(choicesOf(isAttended(question, chosen, attended).request).whenUnchanged).toBe('verify')
  })
})

const folder = mkdtempSync(join(tmpdir(), 'donecheck-line-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fileWith(text: string): string {
  const file = join(folder, 'record')
  writeFileSync(file, text)
  return file
}

describe('given a file', () => {
  it('is its first line that is read', () => {
    expect(readFirstLine(fileWith('first ü\nsecond\n'))).toBe('first ü')
    expect(readFirstLine(fileWith('\nsecond'))).toBe('')
  })

  it('is nothing where the line has no end, or none in time', () => {
    expect(readFirstLine(fileWith('first'))).toBeUndefined()
    expect(readFirstLine(fileWith(`${'x'.repeat(1024 * 1024)}\n`))).toBeUndefined()
  })
})

describe('given something else', () => {
  it('is nothing', () => {
    for (const path of [folder, join(folder, 'none')]) expect(readFirstLine(path)).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('does not wait for a pipe (not on Windows)', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(readFirstLine(pipe)).toBeUndefined()
  })
})
