import { describe, expect, it } from 'vitest'
import { measureRun } from '../measure/measured-run.ts'
import { madeRun } from '@donecheck/engine/testing'
import { claimRuleList, saidDoneTable } from './table.ts'

const run = (exit: string, resolved: boolean | null, file = 'super') =>
  measureRun(madeRun([], { file, exit, outcome: { resolved }, model: 'm' }), [], [])

describe('given runs with and without claims', () => {
  const runs = [
    run('submitted', true),
    run('submitted', false),
    run('submitted', false),
    run('submitted', false),
    run('context', false),
    run('submitted', null),
    run('', false, 'mint'),
  ]

  it('tells how many claims were wrong, and how many failures claimed success', () => {
    const cells = saidDoneTable(runs)
      .split('\n')
      .find((line) => line.startsWith('| super, m'))
      ?.split('|')
      .map((cell) => cell.trim())
    expect(cells).toEqual(['', 'super, m', '5', '4', '3', '75.0 %', '4', '3', '75.0 %', ''])
  })

  it('leaves out the sets that do not tell, and says why', () => {
    expect(saidDoneTable(runs)).not.toContain('mint')
    expect(claimRuleList(runs)).toContain('- mint: not counted:')
    expect(claimRuleList(runs)).not.toContain('- tau-airline')
  })

  it('names the sets that fall under the general rule', () => {
    expect(claimRuleList([...runs, run('Submitted', true, 'held-out')])).toContain(
      'every other set (held-out)',
    )
  })
})

describe('given nothing that tells of claims', () => {
  it('says so', () => {
    expect(saidDoneTable([run('', false, 'mint')])).toBe('No source tells of claims.')
  })
})
