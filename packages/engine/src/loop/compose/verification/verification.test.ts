import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { verifyWork } from './verification.ts'
import { command, fileExists } from '../../../checks/verify/index.ts'
import { newFolder } from '../fixtures/temporary-folder.ts'

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
    const hardVerifiers = [command('test -d .')]
    const signal = AbortSignal.abort()
    const { transition } = await verifyWork({ workFolder: newFolder(), hardVerifiers, signal })
    expect(transition.outcome).toBe('interrupted')
  })
})
