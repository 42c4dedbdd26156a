import { describe, expect, it } from 'vitest'
import { madeRun, madeTurn } from '@donecheck/engine/testing'
import { claimOf } from './claims.ts'

describe('a claim, by the marks of its source', () => {
  it('is a patch given in', () => {
    expect(claimOf(madeRun([], { file: 'mini-swe-gemini3', exit: 'Submitted' }))).toBe('claimed')
    expect(claimOf(madeRun([], { file: 'mini-swe-gemini3', exit: 'LimitsExceeded' }))).toBe('not claimed')
  })

  it('is a result given in, not a call of submit that was turned down', () => {
    expect(claimOf(madeRun(['submit x y'], { file: 'super', exit: 'submitted' }))).toBe('claimed')
    expect(claimOf(madeRun(['submit x y'], { file: 'super', exit: 'not-submitted' }))).toBe('not claimed')
  })

  it('is a final answer', () => {
    expect(claimOf(madeRun(['Finish x y'], { file: 'hotpot-react', exit: 'incorrect' }))).toBe('claimed')
    expect(claimOf(madeRun(['Search x y'], { file: 'hotpot-react', exit: 'halted' }))).toBe('not claimed')
  })

  it("is the agent's own submit, not the one that was put in at the last turn", () => {
    const run = { file: 'intercode', agent: 'intercode-react' }
    expect(claimOf(madeRun(['bash submit y'], { ...run, exit: 'done' }))).toBe('claimed')
    expect(claimOf(madeRun(['bash submit y'], { ...run, exit: 'max-turns' }))).toBe('not claimed')
  })

  it('is a list with every box ticked', () => {
    const run = (text: string, calls: readonly string[] = []) =>
      madeRun([], { file: 'ljoukov-fs', turns: [madeTurn(calls, { text })] })
    expect(claimOf(run('- [x] a.json\n- [x] b.json'))).toBe('claimed')
    expect(claimOf(run('- [x] a.json\n- [ ] b.json'))).toBe('not claimed')
    expect(claimOf(run('- [x] a.json', ['write a b']))).toBe('not claimed')
  })

  it.each(['mint', 'tau-airline', 'tau2-activegraph', 'agents-study', 'who-and-when'])(
    'is not told by %s',
    (file) => {
      expect(claimOf(madeRun(['finish x y'], { file, exit: 'submitted' }))).toBe('not told')
    },
  )

  it('is not told by a run that was stopped by its reward', () => {
    expect(claimOf(madeRun([], { file: 'intercode', agent: 'intercode-try-again', exit: 'done' }))).toBe(
      'not told',
    )
  })
})

describe('a claim in a set that is not known', () => {
  it('is the end "submitted", but no automatic submission', () => {
    expect(claimOf(madeRun([], { exit: 'Submitted' }))).toBe('claimed')
    expect(claimOf(madeRun([], { exit: 'submitted (exit_cost)' }))).toBe('not claimed')
  })

  it('is a finishing call where no end is named', () => {
    expect(claimOf(madeRun(['finish x y']))).toBe('claimed')
    expect(claimOf(madeRun(['bash x y']))).toBe('not told')
  })
})
