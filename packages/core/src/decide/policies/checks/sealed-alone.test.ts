/** Sealed checks and nothing else that decides: they are asked of whatever would end the run. */
import { describe, expect, it } from 'vitest'
import type { FactOf } from '../../../events/index.ts'
import {
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  type RunChoices,
} from '../../../testing/index.ts'
import { modelProposed, modelCalled, toolCalled, toolReturned } from '../../../testing/facts.ts'

const guard = { name: 'tamper guard', role: 'guard' } as const
const sealed = { name: 'sealed 1', role: 'held-out' } as const
const asked = { kind: 'verify', trigger: 'held-out', verifiers: [guard.name, sealed.name] } as const
const isUntouched = passedVerdict(guard.name)

function fact(kind: 'acceptance' | 'guard', ...names: readonly string[]): FactOf<'checks-sealed'> {
  const checks = names.map((name) => ({ name, kind, author: 'a model' }))
  return {
    type: 'checks-sealed',
    authors: [{ name: 'a model', costUsd: 0.5 }],
    checks,
    dropped: [],
    digest: 'd',
  }
}

function sealedRun(choices: RunChoices = {}, sealing = fact('acceptance', sealed.name)) {
  const verifiers = [guard, ...sealing.checks.map(({ name }) => ({ name, role: 'held-out' as const }))]
  const start = begun({ verifiers, ...choices })
  return given(start.slice(0, 2), sealing, start.slice(2), checked('baseline', isUntouched))
}

describe('given an acceptance check that was red before the first turn', () => {
  const done = sealedRun().and(edited(1, 'tree-1'), claimed(1), checked('claim', isUntouched))

  it('when the drive says that it is done, then it is asked', () => {
    done.whenDecided().then(asked)
  })

  it('when it is green then, the work is verified', () => {
    done
      .and(checked('held-out', isUntouched, passedVerdict(sealed.name)))
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'task_complete', outcome: 'verified' } })
  })

  it('when it is red, the drive learns a number and goes on', () => {
    const { decision } = done
      .and(checked('held-out', isUntouched, failedVerdict(sealed.name, { reason: 'sum(2, 2)' })))
      .whenDecided()
    expect(decision).toMatchObject({ kind: 'continue' })
    expect(decision.kind === 'continue' && decision.feedback).toContain('1 of 1 unseen check')
  })

  it('when nothing is claimed, nothing is asked', () => {
    sealedRun()
      .and(edited(1, 'tree-1'), checked('change', isUntouched))
      .whenDecided()
      .then({ kind: 'continue' })
  })

  it('when a cap ends the run, finished work is not reported as a failure', () => {
    const turn = [modelCalled(1), modelProposed('a'), toolCalled('a'), toolReturned('a')]
    const atCap = sealedRun({ caps: { maxIterations: 1 } }).and(turn, edited(1, 'tree-1').slice(-1))
    atCap.and(checked('change', isUntouched)).whenDecided().then(asked)
    const green = checked('held-out', isUntouched, passedVerdict(sealed.name))
    atCap
      .and(checked('change', isUntouched), green)
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'task_complete', outcome: 'verified' } })
    const red = checked('held-out', isUntouched, failedVerdict(sealed.name))
    atCap
      .and(checked('change', isUntouched), red)
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'hard_cap', outcome: 'exhausted' } })
  })

  it('what its author has cost is no part of what the drive may spend', () => {
    expect(done.state.checksCostUsd).toBe(0.5)
    expect(done.state.consumption.costUsd).toBeLessThan(0.5)
  })
})

describe('given no check that the work could turn green', () => {
  it.each([
    ['none stands', fact('acceptance')],
    ['a guard alone stands', fact('guard', sealed.name)],
  ])('when %s, then no turn is paid for', (_, sealing) => {
    sealedRun({}, sealing)
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'error', outcome: 'error' } })
  })

  it('when another check decides, then the run begins without them', () => {
    const start = begun({ verifiers: [guard, 'npm test'] })
    given(start, fact('acceptance'), checked('baseline', isUntouched, failedVerdict('npm test')))
      .whenDecided()
      .then({ kind: 'call-model', turn: 1 })
  })
})
