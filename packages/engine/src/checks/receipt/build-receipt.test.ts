import { createHash } from 'node:crypto'
import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import {
  erroredVerdict,
  failedVerdict,
  passedVerdict,
  runStarted,
  sampleRun,
  sampleTurns,
  skippedVerdict,
  stamp,
} from '@donecheck/core/testing'
import { modelCalled, modelClaimed, runStopped } from '@donecheck/core/internal/testing/facts'
import { buildReceipt, headOf } from './build-receipt.ts'
import { checkedRun, receiptOf, tree, verdicts } from './fixtures/checked-run.ts'
import { parseReceipt } from './receipt.ts'

const receipt = receiptOf(checkedRun())
const { predicate } = receipt

describe('given a run that ended as verified', () => {
  it('is an in-toto statement about the tree as the run left it', () => {
    expect(receipt._type).toBe('https://in-toto.io/Statement/v1')
    expect(receipt.predicateType).toBe('https://donecheck.dev/receipt/v1')
    expect(receipt.subject).toEqual([
      {
        name: 'tree',
        digest: { sha256: tree.after, gitCommit: 'd'.repeat(40), gitTree: 'e'.repeat(40) },
        annotations: { donecheck: 'tree' },
      },
    ])
  })

  it('tells what was checked, how, and with what result', () => {
    expect(predicate.checks.map(({ name, role }) => [name, role])).toEqual([
      ['tamper guard', 'guard'],
      ['npm test', 'check'],
      ['lint', 'check'],
      ['hidden', 'held-out'],
    ])
    const [, test] = predicate.checks
    expect(test).toMatchObject({ required: true, weight: 1, baseline: 'failed' })
    expect(test?.verdict).toMatchObject({
      status: 'passed',
      qualifiers: ['cached'],
      score: 0.5,
      durationMs: 5,
      commands: [{ command: 'npm test', exitCode: 0, outputBytes: 8, timedOut: false, signal: null }],
      tests: [{ format: 'junit', counts: { passed: 11, skipped: 1, total: 12 } }],
      files: [{ path: 'dist/a.js', digest: null, bytes: 0 }],
      measures: [{ name: 'coverage', value: 0.9, bound: 0.8 }],
      sequence: 11,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
  })

  it('what was asked of a copy says so, and one with earlier files is never what is delivered', () => {
    const said = [
      passedVerdict('npm test', { fingerprint: tree.after, tree: 'independent-tree' }),
      passedVerdict('lint', { fingerprint: tree.after, tree: 'clean-room' }),
    ]
    const { checks } = receiptOf(checkedRun(said)).predicate
    const kinds = checks.map(({ verdict }) => [verdict?.tree, verdict?.sameTree])
    expect(kinds.slice(1, 3)).toEqual([
      ['independent-tree', false],
      ['clean-room', true],
    ])
    expect(checks[1]?.verdict).toHaveProperty('tree')
    expect(predicate.checks[1]?.verdict).not.toHaveProperty('tree')
  })

  it('tells findings and who waived them until when', () => {
    expect(predicate.findings).toEqual([
      {
        check: 'tamper guard',
        rule: 'tests.newly-skipped',
        response: 'refuse',
        message: 'the test "later" is skipped',
        path: 'test/later.test.ts',
        line: 7,
        waiver: { by: 'Ada', until: '2026-12-31', reason: 'waits for the new API' },
      },
    ])
  })

  it('says no path of this machine, and is read again as it was written', () => {
    const text = JSON.stringify(receipt)
    expect(text).not.toContain('/home')
    expect(parseReceipt(JSON.parse(text))).toEqual({ kind: 'receipt', receipt })
  })
})

describe('given held-out checks', () => {
  const gapOf = (...said: Parameters<typeof checkedRun>) => receiptOf(checkedRun(...said)).predicate.heldOut

  it('tells how much better the shown ones look', () => {
    expect(gapOf()).toEqual({ shown: { passed: 2, total: 2 }, heldOut: { passed: 1, total: 1 }, gap: 0 })
    expect(gapOf([...verdicts.slice(0, 3), failedVerdict('hidden')])?.gap).toBe(1)
    const half = [passedVerdict('npm test'), erroredVerdict('lint'), passedVerdict('hidden')]
    expect(gapOf(half)).toMatchObject({ shown: { passed: 1, total: 2 }, gap: -0.5 })
  })

  it('has no gap where one side has no answer, and nothing to tell where none was held out', () => {
    expect(gapOf([passedVerdict('npm test'), skippedVerdict('hidden')])).toMatchObject({
      heldOut: { total: 0 },
      gap: null,
    })
    expect(gapOf([passedVerdict('npm test')], { verifiers: ['npm test'] })).toBeNull()
  })
})

describe('given a run without a tree', () => {
  it('is about the answer', () => {
    const events = stamp([
      runStarted({ workFolder: null, verifiers: [{ name: 'schema', reads: 'answer' }] }),
      modelCalled(1),
      modelClaimed('{}'),
      runStopped('model_ended'),
    ])
    expect(receiptOf(events).subject).toEqual([
      {
        name: 'answer',
        digest: { sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a' },
        annotations: { donecheck: 'answer' },
      },
    ])
  })
})

describe('given events that are no whole run', () => {
  it.each([
    ['none', []],
    ['a run that goes on', checkedRun().slice(0, -1)],
    ['a run without its beginning', checkedRun().slice(1)],
  ])('refuses %s and says what to do', (_, events) => {
    const source = { events, packageVersion: '0.1.0', nodeVersion: 'v24.0.0' }
    expect(() => buildReceipt(source)).toThrow(UsageError)
    expect(() => buildReceipt(source)).toThrow(/resume it first|give all/)
  })
})

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

describe('given the chain of a run', () => {
  it('is computed as it is written down', () => {
    const [event] = sampleTurns(0)
    if (event === undefined) throw new Error('no event')
    const sorted = JSON.stringify(event, Object.keys(flat(event)).sort())
    expect(headOf([event])).toBe(hash(hash('donecheck-chain-v1') + sorted))
    expect(headOf([])).toBe(hash('donecheck-chain-v1'))
  })

  test.prop([fc.nat({ max: 21 }), fc.nat({ max: 21 })])(
    'has another head when two events change places, or one is missing or doubled',
    (one, other) => {
      const events = sampleRun()
      const head = headOf(events)
      const [first, second] = [events[one], events[other]]
      if (first === undefined || second === undefined) throw new Error('no such event')
      const swapped = events.with(one, second).with(other, first)
      expect(headOf(swapped) === head).toBe(one === other)
      expect(headOf(events.toSpliced(one, 1))).not.toBe(head)
      expect(headOf(events.toSpliced(one, 0, second))).not.toBe(head)
    },
  )
})

/** Every key at any depth: the list that makes JSON.stringify sort. */
function flat(value: object): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    typeof entry === 'object' && entry !== null
      ? [[key, 1] as const, ...Object.entries(flat(entry))]
      : [[key, 1] as const],
  )
  return Object.fromEntries(entries)
}
