import { describe, expect, it } from 'vitest'
import { createAgentLoop } from '../loop/compose/index.ts'
import { quorum, weightedScore } from '@donecheck/core/internal/decide/aggregate'
import { UsageError } from './errors.ts'
import { assertKnownKeys, optionKeys } from './option-keys.ts'
import { scriptedAgent } from '../loop/agents/index.ts'
import { command } from '../checks/verify/index.ts'

/** As from plain JavaScript, without a type check. */
function untyped(options: object): never {
  return options as never
}

const agent = scriptedAgent([])

function loopWith(options: object) {
  return () => createAgentLoop(untyped({ agent, workFolder: process.cwd(), ...options }))
}

describe('given a key that an option object cannot have', () => {
  it.each([
    ['the loop', { hardCaps: {} }, 'createAgentLoop has no key "hardCaps"; did you mean "hardCap"?'],
    [
      'its caps',
      { hardCap: { iteration: 3 } },
      'unknown key "iteration" in hardCap; did you mean "iterations"?',
    ],
    ['the soft tier', { softVerifiers: { stagnations: true } }, 'did you mean "stagnation"?'],
    [
      'stagnation',
      { softVerifiers: { stagnation: { patience: 3 } } },
      'softVerifiers.stagnation: unknown key "patience"; known keys: mode, ',
    ],
    ['loop detection', { softVerifiers: { loopDetection: { history: 3 } } }, 'history'],
    ['the token budget', { softVerifiers: { tokenBudget: { budgetToken: 3 } } }, 'budgetToken'],
    ['the guard', { hardVerifiers: [command('x')], guard: { mayChanges: [] } }, 'did you mean "mayChange"?'],
    ['the gate', { gate: { rule: [] } }, 'unknown key "rule" in gate; did you mean "rules"?'],
    ['a waiver', { waive: [{ checks: 'lint' }] }, 'unknown key "checks" in waive[0]; did you mean "check"?'],
  ])(
    'when it is one of %s, then it is named at once, with the nearest that there is',
    (_, options, words) => {
      expect(loopWith(options)).toThrow(UsageError)
      expect(loopWith(options)).toThrow(words)
    },
  )

  it('when nothing is near, then all are named', () => {
    expect(() =>
      assertKnownKeys<{ one?: 1; two?: 2 }>(untyped({ zzzzzz: 1 }), { one: true, two: true }, 'it'),
    ).toThrow('it has no key "zzzzzz"; known keys: one, two')
  })
})

describe('given an invalid aggregate', () => {
  it.each([
    ['quorum', quorum],
    ['weightedScore', weightedScore],
    ['a promise', () => Promise.resolve({ status: 'passed' })],
    ['text', 'quorum'],
  ])('when it is %s itself, then it is refused, and how it is called is told', (_, aggregate) => {
    expect(loopWith({ aggregate })).toThrow(UsageError)
    expect(loopWith({ aggregate })).toThrow('quorum({ atLeast: 2 })')
  })

  it('when it was called, then it is one, also where it wants verdicts to look at', () => {
    const hardVerifiers = ['npm test', 'npm run lint']
    expect(loopWith({ hardVerifiers, aggregate: quorum({ atLeast: 2 }) })).not.toThrow()
    const wantsSome = () => {
      throw new TypeError('there is no first ballot')
    }
    expect(loopWith({ aggregate: wantsSome })).not.toThrow()
  })
})

describe('given keys in words', () => {
  interface Options {
    readonly name: string
    readonly patienceMs?: number
  }

  it('is refused by the compiler where one is missing, unknown, or not said to be needed', () => {
    const keys = optionKeys<Options>()
    // @ts-expect-error patienceMs is missing
    keys('name!')
    // @ts-expect-error there is no patience
    keys('name! patienceMs patience')
    // @ts-expect-error name must be given
    keys('name patienceMs')
  })
})
