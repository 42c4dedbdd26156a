import { it as property, fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import type { Verifier, VerifierContext, VerifierResult } from '../../ports/checks.ts'
import { verifierContract } from '../../testing/contracts/verifier-contract.ts'
import { ask, contextOf } from './texts/fixtures/ask.ts'
import { verifierOf } from './reports/verifier-of.ts'
import { composed, type Combination } from './composed.ts'

const passes = () => verifierOf('passes', () => true)
const fails = () => verifierOf('fails', () => ({ passed: false, reason: 'two tests are red' }))
const breaks = () => verifierOf('breaks', () => Promise.reject(new Error('no such program')))
const all: Combination = { kind: 'all' }
const any: Combination = { kind: 'any' }

verifierContract('composed', {
  passing: () => composed(all, [passes()]),
  failing: () => composed(all, [passes(), fails()]),
  makeUndecided: () => composed(all, [passes(), breaks()]),
  hanging: (onStart) =>
    composed(all, [
      verifierOf('hangs', () => {
        onStart()
        return new Promise(() => undefined)
      }),
    ]),
})

/** Notes when it is asked. */
function noting(name: string, status: VerifierResult['status'], asked: string[], judge = false): Verifier {
  return {
    ...verifierOf(name, () => true, { deterministic: !judge }),
    verify: async () => {
      asked.push(name)
      return { status, reason: `${name} says so`, canRetry: true, qualifiers: [], evidence: [], costUsd: 0.5 }
    },
  }
}

describe('given several checks with one verdict', () => {
  it.each([
    [all, 'failed'],
    [any, 'passed'],
    [{ kind: 'quorum', atLeast: 2 }, 'error'],
    [{ kind: 'quorum', atLeast: 3 }, 'failed'],
    [{ kind: 'weighted', threshold: 0.3 }, 'passed'],
    [{ kind: 'weighted', threshold: 0.9 }, 'failed'],
  ] as const)('when one passes, one fails and one breaks, then %j is %s', async (combination, status) => {
    const verifier = composed(combination, [passes(), fails(), breaks()])
    expect(await ask(verifier, 'done')).toMatchObject({ status })
  })

  it('then what a member said is its reason, and what each saw its evidence', async () => {
    const report = await ask(composed(all, [passes(), fails()]), 'done')
    expect(report.reason).toContain('1 of 2 passed; fails:')
    expect(report.reason).toContain('two tests are red')
    expect(report.evidence.map((one) => (one.kind === 'note' ? one.text : ''))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^passes: passed/),
        expect.stringMatching(/^fails: failed/),
      ]),
    )
  })

  it('then judges come last, and are not paid for what is lost', async () => {
    const asked: string[] = []
    const judges = composed({ kind: 'quorum', atLeast: 1 }, [noting('judge', 'passed', asked, true)], {
      name: 'judges',
    })
    const verifier = composed(all, [
      judges,
      noting('schema', 'failed', asked),
      noting('length', 'failed', asked),
    ])
    const report = await ask(verifier, 'done')
    expect(asked).toEqual(['schema', 'length'])
    expect(report).toMatchObject({ status: 'failed', costUsd: 1 })
    expect(report.reason).toContain('1 not asked')
  })

  it('then no turn mends it where what cannot be mended decides', async () => {
    const fatal = verifierOf('fatal', () => ({ passed: false, reason: 'never', can_retry: false }))
    expect(await ask(composed(all, [passes(), fatal]), 'done')).toMatchObject({ canRetry: false })
    expect(await ask(composed(any, [fails(), fatal]), 'done')).toMatchObject({ canRetry: true })
  })

  it('then a member of the work folder is asked about it, whatever copy the others see', async () => {
    const seen: (string | null)[] = []
    const look = ({ workFolder }: VerifierContext) => {
      seen.push(workFolder)
      return true
    }
    const verifier = composed(all, [
      verifierOf('of the folder', look, { looksAt: 'work-folder' }),
      verifierOf('of the copy', look),
    ])
    const context = contextOf({ workFolder: '/copy', projectFolder: '/work' })
    await verifier.verify(context, new AbortController().signal)
    expect(seen).toEqual(['/work', '/copy'])
    expect(verifier.looksAt).toBe('checked-tree')
  })
})

describe('given any verdicts of any members', () => {
  const status = fc.constantFrom('passed' as const, 'failed' as const, 'error' as const, 'pending' as const)
  const combination = fc.oneof(
    fc.constant(all),
    fc.constant(any),
    fc.constant({ kind: 'quorum' as const, atLeast: 1 }),
    fc.record({
      kind: fc.constant('weighted' as const),
      threshold: fc.double({ min: 0.1, max: 1, noNaN: true }),
    }),
  )

  property.prop([combination, fc.array(fc.tuple(status, fc.boolean()), { minLength: 1, maxLength: 5 })])(
    'then it passes only where a member has passed, and whom it leaves out could change nothing',
    async (how, members) => {
      const asked: string[] = []
      const one = (isJudge: boolean) =>
        composed(
          how,
          members.map(([said, judge], index) => noting(`m${index}`, said, asked, isJudge && judge)),
        )
      const { status: short } = await ask(one(true), 'done')
      const { status: whole } = await ask(one(false), 'done')
      expect(short === 'passed').toBe(whole === 'passed')
      if (short === 'passed') expect(members.map(([said]) => said)).toContain('passed')
    },
  )
})

describe('given misuse', () => {
  it.each([
    ['no member', all, []],
    ['two of one name', all, [passes(), passes()]],
    ['none that may decide', all, [verifierOf('advice', () => true, { required: false })]],
    ['a quorum of more than there are', { kind: 'quorum', atLeast: 2 }, [passes()]],
    ['a threshold of nothing', { kind: 'weighted', threshold: 0 }, [passes()]],
  ] as const)('refuses %s', (_, combination, members) => {
    expect(() => composed(combination, members)).toThrow(UsageError)
  })
})
