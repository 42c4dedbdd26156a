import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/base'
import { emptyConversation, type Round } from '@donecheck/core/state'
import type { Drive, DriveAnswer } from '@donecheck/engine/ports/loop'
import { opencodeDrive, type OpencodeDriveOptions } from './index.ts'

let root = ''

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-opencode-')))
  await mkdir(join(root, 'work'))
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

/** A program in the place of opencode: it writes down how it was started, and says what the script says. */
async function fake(script: string, options: Partial<OpencodeDriveOptions> = {}): Promise<Drive> {
  const program = join(root, 'opencode')
  const writesDown = `#!${process.execPath}
import { appendFileSync, readFileSync } from 'node:fs'
const [, , ...words] = process.argv
const told = readFileSync(0, 'utf8')
const say = (type, part) => console.log(JSON.stringify({ type, sessionID: 'ses_one', part }))
const finish = (reason) => say('step_finish', { reason, cost: 0.25, tokens: { input: 10, output: 5, reasoning: 1, cache: { read: 2, write: 3 } } })
appendFileSync(${JSON.stringify(join(root, 'starts.jsonl'))}, JSON.stringify({ words, told, pwd: process.env.PWD, cwd: process.cwd() }) + '\\n')
`
  // No shell: it would put the variable PWD right.
  await writeFile(program, writesDown + script)
  await chmod(program, 0o755)
  const environment = { PATH: `${root}:/usr/bin:/bin`, HOME: root, PWD: '/elsewhere' }
  return opencodeDrive({ folder: join(root, 'work'), environment, timeoutMs: 20_000, ...options })
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
    conversation: { ...emptyConversation, task: 'mend "it"', rounds },
    tools: [],
    maxOutputTokens: 1000,
    onText: () => undefined,
    ...(session === undefined ? {} : { session }),
  }
  return drive.next(request, new AbortController().signal)
}

const blocked: Round = { text: 'Done.', toolCalls: [], answers: [], feedback: 'It is red.' }

const logged = ['--print-logs', '--log-level', 'ERROR']

describe('given a first turn', () => {
  it('gives the task on standard input, in the folder, whatever PWD says', async () => {
    const drive = await fake(`say('step_start', {}); say('text', { text: 'Done.' }); finish('stop')`)
    expect(await ask(drive)).toEqual({
      kind: 'replied',
      text: 'Done.',
      toolCalls: [],
      finish: 'stop',
      usage: {
        inputTokens: 15,
        outputTokens: 6,
        cachedInputTokens: 2,
        reasoningTokens: 1,
        estimated: false,
      },
      costUsd: 0.25,
    })
    const folder = join(root, 'work')
    expect(await starts()).toEqual([
      { words: ['run', '--format', 'json', ...logged], told: 'mend "it"', pwd: folder, cwd: folder },
    ])
  })
})

describe('given a later turn', () => {
  it('goes on in the same session, with the words that were given', async () => {
    const drive = await fake(`say('step_start', {}); finish('stop')`, { words: ['-m', 'a/b'] })
    await ask(drive)
    await ask(drive, [blocked])
    const [, second] = await starts()
    expect(second?.words).toEqual(['run', '--format', 'json', ...logged, '--session', 'ses_one', '-m', 'a/b'])
    expect(second?.told).toBe('It is red.')
  })
})

describe('given words that would take the turn out of our hands', () => {
  it.each(['--format', '--session=x', '-s', '--continue', '-c', '--fork', '--attach', '-i'])(
    'refuses %s and names it',
    (word) => {
      expect(() => opencodeDrive({ folder: dirname(root), words: [word], timeoutMs: null })).toThrow(
        UsageError,
      )
      expect(() => opencodeDrive({ folder: dirname(root), words: [word], timeoutMs: null })).toThrow(word)
    },
  )
})
