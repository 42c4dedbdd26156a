import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/base'
import { emptyConversation, type Round } from '@donecheck/core/state'
import type { Drive, DriveAnswer } from '@donecheck/engine/ports/loop'
import { geminiDrive, type GeminiDriveOptions } from './drive.ts'

let root = ''

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-gemini-')))
  await mkdir(join(root, 'work'))
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

/** A program in the place of Gemini CLI: it writes down how it was started, and says what the script says. */
async function fake(script: string, options: Partial<GeminiDriveOptions> = {}): Promise<Drive> {
  const program = join(root, 'gemini')
  const writesDown = `#!${process.execPath}
import { appendFileSync, readFileSync } from 'node:fs'
const [, , ...words] = process.argv
const told = readFileSync(0, 'utf8')
const home = process.env.HOME
const say = (value) => console.log(JSON.stringify({ timestamp: new Date().toISOString(), ...value }))
const init = () => say({ type: 'init', session_id: '0123456789-session' })
const done = (stats = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }) => say({ type: 'result', status: 'success', stats })
appendFileSync(${JSON.stringify(join(root, 'starts.jsonl'))}, JSON.stringify({ words, told, pwd: process.env.PWD, cwd: process.cwd() }) + '\\n')
`
  // No shell: it would put the variable PWD right.
  await writeFile(program, writesDown + script)
  await chmod(program, 0o755)
  const environment = { PATH: `${root}:/usr/bin:/bin`, HOME: root, PWD: '/elsewhere' }
  return geminiDrive({ folder: join(root, 'work'), environment, timeoutMs: 20_000, ...options })
}

interface Start {
  readonly words: readonly string[]
  readonly told: string
  readonly pwd: string
  readonly cwd: string
}

async function starts(): Promise<readonly Start[]> {
  const text = await readFile(join(root, 'starts.jsonl'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Start)
}

function ask(drive: Drive, rounds: readonly Round[] = [], session?: string): Promise<DriveAnswer> {
  const request = {
    runId: 'run-1',
    turn: rounds.length + 1,
    attempt: 1,
    replies: rounds.length,
    conversation: { ...emptyConversation, task: 'mend @src/sum.ts', rounds },
    tools: [],
    maxOutputTokens: 1000,
    onText: () => undefined,
    ...(session === undefined ? {} : { session }),
  }
  return drive.next(request, new AbortController().signal)
}

const blocked: Round = {
  text: 'Done.',
  toolCalls: [],
  answers: [],
  feedback: 'It is red: at node_modules/@scope/runner.js, who@example.org',
}

describe('given a first turn', () => {
  it('gives the task as it is on standard input, in the folder, allowed to edit', async () => {
    const drive = await fake(`init(); say({ type: 'message', role: 'assistant', content: 'Done.' }); done()`)
    expect(await ask(drive)).toMatchObject({
      kind: 'replied',
      text: 'Done.',
      finish: 'stop',
      usage: { inputTokens: 10, outputTokens: 5 },
    })
    expect(await starts()).toEqual([
      {
        words: ['--output-format', 'stream-json', '--approval-mode', 'auto_edit'],
        told: 'mend @src/sum.ts',
        pwd: join(root, 'work'),
        cwd: join(root, 'work'),
      },
    ])
  })
})

describe('given a later turn', () => {
  it('begins anew, with the task, where the session is gone', async () => {
    const drive = await fake(`if (words.includes('--resume')) {
  console.error('Error resuming session: Invalid session identifier')
  process.exit(42)
}
init(); done()`)
    expect(await ask(drive, [blocked], 'gone')).toMatchObject({ finish: 'stop' })
    const [first, second] = await starts()
    expect(first?.words).toContain('gone')
    expect(second?.words).not.toContain('--resume')
    expect(second?.told).toContain('mend @src/sum.ts')
  })
})

describe('given words that would take the turn out of our hands', () => {
  it.each([
    '-p',
    '--prompt=x',
    '--output-format',
    '-o',
    '--resume',
    '-r',
    '--session-id',
    '-i',
    '--worktree',
  ])('refuses %s and names it', (word) => {
    expect(() => geminiDrive({ folder: dirname(root), words: [word], timeoutMs: null })).toThrow(UsageError)
    expect(() => geminiDrive({ folder: dirname(root), words: [word], timeoutMs: null })).toThrow(word)
  })
})
