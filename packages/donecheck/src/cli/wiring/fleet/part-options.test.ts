import { describe, expect, it } from 'vitest'
import { createAgentLoop } from '@donecheck/engine/compose'
import { scriptedDrive } from '@donecheck/engine/testing'
import { command } from '@donecheck/engine/verify'
import { optionsOfPart } from './part-options.ts'

const waiver = { check: 'npm test', by: 'mia', until: '2999-12-31', reason: 'it is broken' }
const whole = {
  drive: scriptedDrive(['Done.']),
  hardVerifiers: [command('npm test'), command('npm run lint')],
  ...{ waive: [waiver], quarantine: [{ ...waiver, check: 'npm run lint' }], guard: false as const },
}

describe('given a run whose checks decide, and of which some are waived', () => {
  it('then a part without a name has none of them, and can be opened', async () => {
    const options = optionsOfPart(whole, { checks: [] })
    expect(options).toMatchObject({ hardVerifiers: [], waive: [], quarantine: [] })
    expect((await createAgentLoop(options).run('a part')).transition.outcome).toBe('unverified')
  })

  it('then one of the goal has its own, with what was waived of them', () => {
    const { hardVerifiers = [], waive, quarantine } = optionsOfPart(whole, { checks: ['npm test'] })
    expect(hardVerifiers).toEqual([whole.hardVerifiers[0]])
    expect([waive, quarantine]).toEqual([[waiver], []])
  })
})
