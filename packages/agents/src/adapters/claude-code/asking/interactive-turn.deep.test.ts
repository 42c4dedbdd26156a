import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { emptyConversation } from '@donecheck/core/internal/state'
import type { Drive, DriveAnswer, DriveRequest } from '@donecheck/engine/internal/ports/loop'
import { driveContract } from '@donecheck/engine/internal/testing/contracts'
import { claudeCodeDrive } from '../drive.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-claude-asks-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
})

const never = new AbortController().signal

async function driveThat(does: string, words: readonly string[] = []): Promise<Drive> {
  const program = join(folder, 'claude')
  const script = join(import.meta.dirname, '../fixtures/scripted-claude.ts')
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${script}' ${does} "$@"\n`, {
    mode: 0o755,
  })
  return claudeCodeDrive({ folder, timeoutMs: null, program, words })
}

function request(more: Partial<DriveRequest> = {}): DriveRequest {
  return {
    ...{ runId: 'r', turn: 1, attempt: 1, replies: 0, tools: [], maxOutputTokens: 1000 },
    conversation: { ...emptyConversation, task: 'Do it.' },
    onText: () => undefined,
    ...more,
  }
}

async function replied(drive: Drive): Promise<Extract<DriveAnswer, { kind: 'replied' }>> {
  const answer = await drive.next(request(), never)
  if (answer.kind !== 'replied') throw new Error(answer.failure.message)
  return answer
}

async function heard(): Promise<readonly Record<string, unknown>[]> {
  const lines = (await readFile(join(folder, 'heard'), 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

driveContract('claude-code, asked', {
  replying: () => driveThat('talks'),
  failing: () => claudeCodeDrive({ folder, timeoutMs: null, program: join(folder, 'no-such-claude') }),
  hanging: async (onStart) => {
    const drive = await driveThat('hangs')
    return {
      description: drive.description,
      next: (asked, signal) => drive.next({ ...asked, onText: onStart }, signal),
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
    const drive = await driveThat('asks')
    const answer = await replied(drive)
    expect(answer).toMatchObject({
      toolCalls: [{ callId: 'a', tool: 'Bash', args: { command: 'ls' } }],
      usage: { inputTokens: 10, outputTokens: 1 },
    })
    const tool = drive.own?.toolOf('a')
    expect(tool).toMatchObject({ isAsked: true, hasOwnPermissions: true })
    const prepared = await tool?.prepare({ command: 'ls' })
    if (prepared?.kind !== 'ready') throw new Error('it cannot be run')
    expect(await prepared.run(never)).toEqual({ status: 'ok', output: 'listed' })
    expect(await replied(drive)).toMatchObject({ text: 'It is done.', finish: 'stop' })
    const [opening, prompt, given] = await heard()
    expect(opening).toMatchObject({ request: { subtype: 'initialize' } })
    expect(prompt).toMatchObject({ type: 'user', message: { role: 'user' } })
    expect(given).toMatchObject({ response: { request_id: 'hook', response: {} } })
  })

  it('refuses it with the reason, and the turn goes on', async () => {
    const drive = await driveThat('asks')
    await replied(drive)
    await drive.own?.refuse('a', 'a rule forbids it')
    expect(await replied(drive)).toMatchObject({ text: 'It is done.' })
    expect(JSON.stringify((await heard())[2])).toContain('a rule forbids it')
  })
})

describe('given a turn that is broken off', () => {
  it('interrupts it first', async () => {
    const drive = await driveThat('asks')
    await replied(drive)
    await drive.own?.cancel()
    expect((await heard()).at(-1)).toMatchObject({ request: { subtype: 'interrupt' } })
  })
})

describe('given a version that cannot be asked', () => {
  it.each(['knows-no-words', 'refuses-hooks'])('fails before its first call: it %s', async (does) => {
    const drive = await driveThat(does)
    const answer = await drive.next(request(), never)
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'configuration' } })
    expect(answer.kind === 'failed' && answer.failure.message).toContain('Use a newer Claude Code')
  })

  it('is not even begun, with a word by which no hook runs', async () => {
    await expect(driveThat('talks', ['--bare'])).rejects.toThrow('it runs no hooks')
  })
})
