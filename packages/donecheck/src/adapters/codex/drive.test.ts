import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../errors.ts'
import { emptyConversation } from '../../events/index.ts'
import type { Drive, DriveAnswer } from '../../ports.ts'
import { driveContract } from '../../testing/contracts/drive-contract.ts'
import { diesWithUs } from './dies-with-us.ts'
import { codexDrive } from './drive.ts'

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

function driveIn(folder: string, does: string, words: readonly string[]): Drive {
  const environment = { PATH: path(), HOME: join(folder, 'home'), SCRIPTED_CODEX: does }
  return codexDrive({ folder, environment, words, timeoutMs: 30_000 })
}

function ask(drive: Drive, session?: string): Promise<DriveAnswer> {
  const request = {
    ...{ runId: 'run-1', turn: 1, attempt: 1, replies: 0, tools: [], maxOutputTokens: 1000 },
    conversation: { ...emptyConversation, task: 'Make it green.' },
    onText: () => undefined,
    ...(session === undefined ? {} : { session }),
  }
  return drive.next(request, new AbortController().signal)
}

/** A process that has ended and that nobody has waited for is no longer alive. */
function isAlive(processId: string): boolean {
  const file = `/proc/${processId.trim()}/stat`
  return existsSync(file) && !/^\d+ \(.*\) Z/s.test(readFileSync(file, 'utf8'))
}

describe.each([
  ['codex app-server', ['app-server']],
  ['codex exec', ['exec']],
])('over %s', (name, words) => {
  let folder = ''

  driveContract(name, {
    replying: async () => driveIn(await place(), 'replying', words),
    failing: async () => driveIn(await place(), 'failing', words),
    hanging: async (onStart) => {
      folder = await place()
      const drive = driveIn(folder, 'hanging', words)
      // Its child is there before its words are.
      const next: Drive['next'] = (request, signal) => drive.next({ ...request, onText: onStart }, signal)
      return { description: drive.description, next }
    },
    isAtWork: async () =>
      existsSync(join(folder, 'child')) && isAlive(await readFile(join(folder, 'child'), 'utf8')),
  })

  it('books a thread that is gone on with once', async () => {
    const drive = driveIn(await place(), 'replying', words)
    for (const answer of [await ask(drive), await ask(drive)])
      expect(answer).toMatchObject({ kind: 'replied', finish: 'stop', usage: { inputTokens: 10 } })
  })
})

describe('given a Codex without an app-server', () => {
  it('is run by codex exec', async () => {
    const folder = await place()
    const drive = driveIn(folder, 'no-app-server', ['-m', 'x', '-a', 'never'])
    expect(await ask(drive)).toMatchObject({ kind: 'replied', text: 'It is done.' })
    const told = JSON.parse(await readFile(join(folder, 'exec-words'), 'utf8')) as string[]
    expect(told).toEqual(expect.arrayContaining(['-m', 'x', '--', 'Make it green.']))
    expect(told).not.toContain('-a')
  })

  it('fails where the app-server was asked for', async () => {
    const answer = await ask(driveIn(await place(), 'no-app-server', ['app-server']))
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'configuration' } })
    expect(answer.kind === 'failed' && answer.failure.message).toContain(
      "unrecognized subcommand 'app-server'",
    )
  })
})

describe('given no Codex', () => {
  it.each([[[]], [['exec']]])('fails for good with the words %j', async (words) => {
    const folder = await place()
    const drive = codexDrive({
      folder,
      environment: { PATH: '/nowhere:/usr/bin:/bin', HOME: folder },
      words,
      timeoutMs: null,
    })
    expect(await ask(drive)).toMatchObject({
      kind: 'failed',
      failure: { kind: 'configuration', retryable: false },
    })
  })
})

describe('given words', () => {
  it('says whether what is allowed stays in a sandbox', () => {
    const sandboxOf = (...words: readonly string[]) =>
      codexDrive({ folder: root, words, timeoutMs: null }).own?.sandbox
    expect(sandboxOf()).toEqual({ isConfined: true })
    expect(sandboxOf('app-server', '--yolo')).toEqual({ isConfined: false })
  })

  it.each([[['exec', 'resume', 'x']], [['exec', '--help']], [['--search']]])('refuses %j', (words) => {
    expect(() => codexDrive({ folder: root, words, timeoutMs: null })).toThrow(UsageError)
  })
})

describe('given a program that would go on by itself', () => {
  it('dies when whoever started it is gone', async () => {
    const command = diesWithUs(['sh', '-c', 'echo ready; sleep 1000'])
    const { shell, args = [] } = 'shell' in command ? command : { shell: '' }
    const child = spawn('sh', ['-c', shell, 'donecheck', ...args], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.stdin.end()
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGTERM')
  })

  it('ends as it does', async () => {
    const command = diesWithUs(['sh', '-c', 'exit 7'])
    const { shell, args = [] } = 'shell' in command ? command : { shell: '' }
    const child = spawn('sh', ['-c', shell, 'donecheck', ...args], { stdio: ['pipe', 'inherit', 'inherit'] })
    expect(await once(child, 'exit')).toEqual([7, null])
    child.stdin.destroy()
  })
})
