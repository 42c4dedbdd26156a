import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'

import { verifyWork } from './verification.ts'
import { command, fileExists } from '../../../checks/verify/index.ts'

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

  it('one that cannot fail verifies nothing, unless somebody vouches for it', async () => {
    const workFolder = newFolder()
    writeFileSync(join(workFolder, 'sum.py'), 'sum = 1')
    const asked = async (line: string, by?: string) => {
      const trustChecks = by === undefined ? [] : [{ check: line, by }]
      return await verifyWork({ workFolder, guard: false, hardVerifiers: [command(line)], trustChecks })
    }
    for (const line of ['test -s sum.py || true', './check.sh | cat']) {
      writeFileSync(join(workFolder, 'check.sh'), '#!/bin/sh\n./missing\n', { mode: 0o755 })
      const { transition, verdicts } = await asked(line)
      expect(transition.outcome).toBe('blocked')
      expect(verdicts.map(({ qualifiers }) => qualifiers)).toEqual([['unverifiable']])
      expect((await asked(line, 'ann')).transition.outcome).toBe('verified')
    }
  })

  it('one that was never seen to fail is believed once a broken copy has turned it red', async () => {
    const workFolder = newFolder()
    const asked = (line: string) => verifyWork({ workFolder, guard: false, hardVerifiers: [command(line)] })
    for (const name of ['a', 'b']) writeFileSync(join(workFolder, `${name}.txt`), 'text')
    const { transition, verdicts } = await asked('for f in *.txt; do test -s $f; done')
    expect(transition.outcome).toBe('verified')
    expect(JSON.stringify(verdicts)).toContain('every product file deleted')
  })

  it('without any check nothing is verified', async () => {
    expect((await verifyWork({ workFolder: newFolder() })).transition.outcome).toBe('unverified')
  })

  it('an abort ends it as interrupted', async () => {
    const hardVerifiers = [command('test -d .')]
    const signal = AbortSignal.abort()
    const { transition } = await verifyWork({ workFolder: newFolder(), hardVerifiers, signal })
    expect(transition.outcome).toBe('interrupted')
  })
})
