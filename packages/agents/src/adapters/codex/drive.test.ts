import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyConversation } from '@donecheck/core/internal/state'
import type { Drive, DriveAnswer, DriveRequest } from '@donecheck/engine/internal/ports/loop'
import { driveContract } from '@donecheck/engine/internal/testing/contracts'
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

function driveIn(folder: string, does: string): Drive {
  const environment = { PATH: path(), HOME: join(folder, 'home'), SCRIPTED_CODEX: does }
  return codexDrive({ folder, environment, timeoutMs: 30_000 })
}

function ask(drive: Drive, session?: string, onFinding?: DriveRequest['onFinding']): Promise<DriveAnswer> {
  const request = {
    ...{ runId: 'run-1', turn: 1, attempt: 1, replies: 0, tools: [], maxOutputTokens: 1000 },
    conversation: { ...emptyConversation, task: 'Make it green.' },
    onText: () => undefined,
    ...(session === undefined ? {} : { session }),
    ...(onFinding === undefined ? {} : { onFinding }),
  }
  return drive.next(request, new AbortController().signal)
}

/** A zombie does not count as alive. */
function isAlive(processId: string): boolean {
  const file = `/proc/${processId.trim()}/stat`
  return existsSync(file) && !/^\d+ \(.*\) Z/s.test(readFileSync(file, 'utf8'))
}

describe('over the app-server', () => {
  let folder = ''

  driveContract('codex', {
    replying: async () => driveIn(await place(), 'replying'),
    failing: async () => driveIn(await place(), 'failing'),
    hanging: async (onStart) => {
      folder = await place()
      const drive = driveIn(folder, 'hanging')
      // Its child is there before its words are.
      const next: Drive['next'] = (request, signal) => drive.next({ ...request, onText: onStart }, signal)
      return { description: drive.description, next }
    },
    isAtWork: async () =>
      existsSync(join(folder, 'child')) && isAlive(await readFile(join(folder, 'child'), 'utf8')),
  })

  it('books a thread that is gone on with once', async () => {
    const drive = driveIn(await place(), 'replying')
    for (const answer of [await ask(drive), await ask(drive)])
      expect(answer).toMatchObject({ kind: 'replied', finish: 'stop', usage: { inputTokens: 10 } })
  })
})

describe('given a Codex that begins a turn by itself', () => {
  async function found(does: string) {
    const findings: string[] = []
    const drive = driveIn(await place(), does)
    const answers = [
      await ask(drive, 'thread-1', ({ message }) => findings.push(message)),
      await ask(drive, 'thread-1', ({ message }) => findings.push(message)),
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
    const answer = await ask(driveIn(await place(), 'no-app-server'))
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'configuration', retryable: false } })
    const said = answer.kind === 'failed' ? answer.failure.message : ''
    expect(said).toContain("unrecognized subcommand 'app-server'")
    expect(said).toContain("--agent 'codex exec {prompt}'")
  })
})

describe('given words', () => {
  it('says whether what is allowed stays in a sandbox', () => {
    const sandboxOf = (...words: readonly string[]) =>
      codexDrive({ folder: root, words, timeoutMs: null }).own?.sandbox
    expect(sandboxOf()).toEqual({ isConfined: true })
    expect(sandboxOf('--yolo')).toEqual({ isConfined: false })
  })
})
