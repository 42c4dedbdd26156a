import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '@donecheck/core/internal/events'
import {
  ready,
  removeToolFolders,
  toolContract,
  toolFolder,
} from '../../../testing/contracts/tool-contract.ts'
import { runShellTool, type ShellOptions } from './run-shell.ts'

const environment = { PATH: process.env['PATH'] ?? '', VISIBLE: 'yes', DONECHECK_KEY: 'secret' }

function shell(workFolder: string, changes: Partial<ShellOptions> = {}) {
  return runShellTool({
    workFolder,
    timeoutMs: 30_000,
    maxTimeoutMs: 60_000,
    environment,
    ...changes,
  })
}

toolContract('run_shell', { make: shell, good: { command: 'echo one' } })
afterEach(removeToolFolders)

const never = new AbortController().signal

async function run(args: Record<string, JsonValue>, changes: Partial<ShellOptions> = {}, signal = never) {
  return (await ready(shell(toolFolder(), changes), args)).run(signal)
}

describe('given a command', () => {
  it('runs in the work folder, and its exit code is told', async () => {
    expect(await run({ command: 'cat a.txt' })).toEqual({ status: 'ok', output: 'one\ntwo\n[exit code 0]' })
    expect(await run({ command: 'printf no; printf oh >&2; exit 3' })).toEqual({
      status: 'error',
      output: 'nooh\n[exit code 3]',
    })
    expect(await run({ command: 'true' })).toEqual({ status: 'ok', output: '[exit code 0]' })
  })

  it('sees the environment, without the variables of this program', async () => {
    expect(
      (await run({ command: 'echo "$VISIBLE"; env | grep -v DONECHECK_MARK | grep -c DONECHECK' })).output,
    ).toBe('yes\n0\n[exit code 1]')
  })

  it('shows both ends of a long output, and says how much is left out', async () => {
    const { output } = await run({
      command:
        'head -c 8192 /dev/zero | tr "\\0" a; head -c 1000 /dev/zero | tr "\\0" b; head -c 8192 /dev/zero | tr "\\0" c',
    })
    expect(output).toBe(
      `${'a'.repeat(8192)}\n[... 1000 bytes left out ...]\n${'c'.repeat(8192)}\n[exit code 0]`,
    )
  })

  it.each([[''], ['  \n'], ['a\0b'], ['x'.repeat(70_000)]])('%j is refused', async (command) => {
    expect(await shell(toolFolder()).prepare({ command })).toMatchObject({ kind: 'invalid' })
  })
})

describe('given a command that does not end', () => {
  it('is killed after its time', async () => {
    const { status, output } = await run({ command: 'echo begun; sleep 1000' }, { timeoutMs: 300 })
    expect(status).toBe('error')
    expect(output).toMatch(/^begun\n\[timed out after 0\.3 s and was killed;/)
  })

  it('a call may ask for another time, up to a bound', async () => {
    const { output } = await run({ command: 'sleep 1000', timeout_seconds: 1 })
    expect(output).toContain('timed out after 1 s')
    const prepared = await shell(toolFolder()).prepare({ command: 'sleep 1000', timeout_seconds: 61 })
    expect(prepared).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('timeout_seconds') as string,
    })
  })

  it('is killed by an interrupt, with everything that it started', async () => {
    const stop = new AbortController()
    const folder = toolFolder()
    const command = 'mkfifo p; (sleep 1000 & echo $! > pid; echo > p; wait) & cat p; echo going; wait'
    const call = await ready(shell(folder), { command })
    const running = call.run(stop.signal)
    await becomesTrue(
      () => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8').endsWith('\n'),
    )
    stop.abort()
    expect((await running).status).toBe('interrupted')
    const child = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    await becomesTrue(() => !isAlive(child))
  })
})

/** Polls until it is true; the test's timeout ends it otherwise. */
async function becomesTrue(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${processId}/stat`, 'utf8'))
  } catch {
    return false
  }
}
