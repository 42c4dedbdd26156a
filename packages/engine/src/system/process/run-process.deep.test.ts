import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { killAllProcesses } from './group.ts'
import { runProcess, type ProcessRequest } from './run-process.ts'
import { eachInFolder } from './fixtures/temporary-folder.ts'

let folder = ''
const escaped: number[] = []

eachInFolder((made) => {
  folder = made
})

afterEach(() => {
  for (const processId of escaped.splice(0)) process.kill(processId, 'SIGKILL')
})

function request(changes: Partial<ProcessRequest> = {}): ProcessRequest {
  return {
    command: { shell: 'true' },
    folder,
    environment: { PATH: process.env['PATH'] ?? '' },
    timeoutMs: 30_000,
    signal: new AbortController().signal,
    headBytes: 1000,
    tailBytes: 1000,
    keepBytes: 0,
    ...changes,
  }
}

function shell(line: string, changes: Partial<ProcessRequest> = {}) {
  return runProcess(request({ command: { shell: line }, ...changes }))
}

/** A process that has ended but was not reaped is no longer alive. */
function isAlive(processId: number): boolean {
  if (!existsSync(`/proc/${processId}/stat`)) return false
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8')
  return !/^\d+ \(.*\) Z/s.test(stat)
}

function processIdIn(file: string): number {
  return Number(readFileSync(join(folder, file), 'utf8'))
}

describe('given a command that ends by itself', () => {
  it.each([0, 1, 3, 127, 255])('tells its exit code %i', async (exitCode) => {
    const { end } = await shell(`exit ${exitCode}`)
    expect(end).toEqual({ kind: 'exited', exitCode })
  })

  it('tells the signal that killed it', async () => {
    const { end } = await shell('kill -s SEGV $$')
    expect(end).toEqual({ kind: 'signalled', signal: 'SIGSEGV' })
  })

  it('runs in the folder, with the environment and nothing else', async () => {
    const { output } = await shell('pwd -P; echo "$FRUIT|$HOME"', {
      environment: { PATH: process.env['PATH'] ?? '', FRUIT: 'pear' },
    })
    expect(output.head).toMatch(/donecheck-test-\w+\npear\|\n$/)
  })

  it('hands arguments to the line without reading them as shell', async () => {
    const hostile = `$(touch owned) "; touch owned; ' \`touch owned\`\nnext`
    const { output } = await runProcess(request({ command: { shell: 'printf %s "$1"', args: [hostile] } }))
    expect(output.head).toBe(hostile)
    expect(existsSync(join(folder, 'owned'))).toBe(false)
  })
})

describe('given input', () => {
  it('feeds it and closes it', async () => {
    const { output } = await shell('cat', { stdin: 'hällo' })
    expect(output.head).toBe('hällo')
  })

  it('does not mind a program that never reads it', async () => {
    const { end } = await shell('exit 0', { stdin: 'x'.repeat(5_000_000) })
    expect(end).toEqual({ kind: 'exited', exitCode: 0 })
  })
})

describe('given a flood of output', () => {
  it('keeps the two ends of 100 MB and the digest of all', async () => {
    const megabytes = 100
    const line = '0123456789abcde\n'
    const { output, whole } = await shell(`yes 0123456789abcde | head -c ${megabytes * 1024 * 1024}`, {
      keepBytes: 4096,
    })
    const digest = createHash('sha256')
    for (let megabyte = 0; megabyte < megabytes; megabyte += 1) digest.update(line.repeat(65_536))
    expect(output.totalBytes).toBe(megabytes * 1024 * 1024)
    expect(output.digest).toBe(digest.digest('hex'))
    expect(output.head.length + output.tail.length).toBe(2000)
    expect(whole?.length).toBeLessThan(4200)
  })
})

describe('given a command that leaves processes behind', () => {
  it('kills a background process that holds the pipes', async () => {
    const { end, output } = await shell('sleep 1000 & echo $! > child; echo done')
    expect(end).toEqual({ kind: 'exited', exitCode: 0 })
    expect(output.head).toBe('done\n')
    expect(isAlive(processIdIn('child'))).toBe(false)
  })

  it('kills one that holds nothing and ignores SIGTERM', async () => {
    const { end } = await shell(
      `sh -c 'trap "" TERM; touch ready; while :; do sleep 1; done' >/dev/null 2>&1 & echo $! > child; until [ -e ready ]; do :; done`,
    )
    expect(end).toEqual({ kind: 'exited', exitCode: 0 })
    expect(isAlive(processIdIn('child'))).toBe(false)
  })

  it('does not wait for one that left the group and holds the pipes', async () => {
    const { end, output } = await shell('setsid sleep 1000 & echo $! > child; echo done')
    escaped.push(processIdIn('child'))
    expect(end).toEqual({ kind: 'exited', exitCode: 0 })
    expect(output.head).toBe('done\n')
  })
})

describe('given a bound in time', () => {
  it('ends a command that hangs, children included', async () => {
    const { end } = await shell('sleep 1000 & echo $! > child; wait', { timeoutMs: 300 })
    expect(end).toEqual({ kind: 'timed-out' })
    expect(isAlive(processIdIn('child'))).toBe(false)
  })

  it('counts as timed out although the command then says that all is well', async () => {
    const { end } = await shell(`trap 'exit 0' TERM; while :; do sleep 0.05; done`, { timeoutMs: 300 })
    expect(end).toEqual({ kind: 'timed-out' })
  })

  it('takes a bound longer than any timer', async () => {
    const { end } = await shell('sleep 0.1', { timeoutMs: Number.MAX_SAFE_INTEGER })
    expect(end).toEqual({ kind: 'exited', exitCode: 0 })
  })
})

describe('given an abort', () => {
  it('starts nothing when it came before', async () => {
    const { end } = await shell('touch started', { signal: AbortSignal.abort() })
    expect(end).toEqual({ kind: 'aborted' })
    expect(existsSync(join(folder, 'started'))).toBe(false)
  })

  it('ends the whole group when it comes during the run', async () => {
    const abort = new AbortController()
    const { end, output } = await shell('sleep 1000 & echo $! > child; echo ready; wait', {
      signal: abort.signal,
      onOutput: () => abort.abort(),
    })
    expect(end).toEqual({ kind: 'aborted' })
    expect(output.head).toBe('ready\n')
    expect(isAlive(processIdIn('child'))).toBe(false)
  })

  it('loses against a timeout that came first', async () => {
    const abort = new AbortController()
    const { end } = await shell(`trap 'echo asked; exit 0' TERM; while :; do sleep 0.05; done`, {
      timeoutMs: 300,
      signal: abort.signal,
      onOutput: () => abort.abort(),
    })
    expect(end).toEqual({ kind: 'timed-out' })
  })
})

describe('given a second Ctrl-C', () => {
  it('kills every group at once', async () => {
    const { end } = await shell(`trap '' TERM; sleep 1000 & echo $! > child; echo ready; wait`, {
      onOutput: killAllProcesses,
    })
    expect(end).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
    expect(isAlive(processIdIn('child'))).toBe(false)
  })
})

describe('given what cannot be started', () => {
  const start = async (changes: Partial<ProcessRequest>) => (await runProcess(request(changes))).end

  it('names the program that is missing', async () => {
    const end = await start({ command: { words: ['no-such-program-here', '--fast'] } })
    expect(end).toEqual({ kind: 'not-started', problem: 'there is no program "no-such-program-here"' })
  })

  it('names the folder that is missing', async () => {
    const missing = join(folder, 'missing')
    expect(await start({ folder: missing })).toEqual({
      kind: 'not-started',
      problem: `the folder ${missing} does not exist or cannot be read`,
    })
  })
})
