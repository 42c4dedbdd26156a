import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { UsageError } from './errors.ts'
import { verifyWork } from './verification.ts'
import { command, fileExists } from './verify/index.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'donecheck-verification-'))
  folders.push(folder)
  return folder
}

describe('given checks and nobody who drives', () => {
  it('by default they are asked of the folder as it is', async () => {
    const workFolder = newFolder()
    writeFileSync(join(workFolder, 'a.txt'), 'a')
    const hardVerifiers = [command('test -s a.txt'), fileExists('a.txt')]
    const { transition, verdicts } = await verifyWork({ workFolder, hardVerifiers })
    expect(transition).toMatchObject({ reason: 'task_complete', outcome: 'verified' })
    expect(verdicts.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed'])
  })

  it('one that fails ends it as failed, one that cannot decide as blocked', async () => {
    const workFolder = newFolder()
    const outcomeOf = async (line: string) =>
      (await verifyWork({ workFolder, guard: false, hardVerifiers: [command(line)] })).transition.outcome
    expect(await outcomeOf('exit 1')).toBe('failed')
    expect(await outcomeOf('no-such-program-here')).toBe('blocked')
  })

  it('without any check nothing is verified', async () => {
    expect((await verifyWork({ workFolder: newFolder() })).transition.outcome).toBe('unverified')
  })

  it('an abort ends it as interrupted', async () => {
    const hardVerifiers = [command('true')]
    const signal = AbortSignal.abort()
    const { transition } = await verifyWork({ workFolder: newFolder(), hardVerifiers, signal })
    expect(transition.outcome).toBe('interrupted')
  })

  it('a power probe without the usual guard is refused', async () => {
    const hardVerifiers = [command('true')]
    await expect(
      verifyWork({ workFolder: newFolder(), hardVerifiers, guard: false, power: {} }),
    ).rejects.toThrow(UsageError)
  })
})
