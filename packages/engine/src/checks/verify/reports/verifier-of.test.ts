import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { contextOf } from '../texts/fixtures/ask.ts'
import { verifierOf, type UserVerifier, type VerifierOfOptions } from './verifier-of.ts'

const never = new Promise(() => undefined)

verifierContract('verifierOf', {
  passing: () => verifierOf('file is there', () => ({ passed: true, reason: 'seen' })),
  failing: () => verifierOf('file is there', async () => ({ passed: false, reason: 'not there' })),
  makeUndecided: () => verifierOf('file is there', () => 'perhaps'),
  hanging: (onStart) =>
    verifierOf('file is there', () => {
      onStart()
      return never
    }),
})

const context = contextOf({ finalText: 'the answer' })

function ask(answer: UserVerifier, options?: VerifierOfOptions, signal = new AbortController().signal) {
  return verifierOf('check', answer, options).verify(context, signal)
}

describe('given what a function answers', () => {
  it.each([
    [true, 'passed', 'check passed'],
    [false, 'failed', 'check failed'],
    [{ passed: true }, 'passed', 'check passed'],
    [{ passed: false, reason: '2 left' }, 'failed', '2 left'],
    [{ passed: true, reason: null }, 'passed', 'check passed'],
    [{ passed: true, reason: '  ' }, 'passed', 'check passed'],
  ])('understands %j as %s', async (value, status, reason) => {
    expect(await ask(() => value)).toMatchObject({ status, reason, canRetry: true })
  })

  it('hears that no further turn can mend it', async () => {
    const report = await ask(() => ({ passed: false, can_retry: false }))
    expect(report).toMatchObject({ status: 'failed', canRetry: false })
  })

  it('shortens a reason that is no sentence, and keeps its ends in the evidence', async () => {
    const report = await ask(() => ({ passed: false, reason: 'x'.repeat(100_000) }))
    expect(report.reason.length).toBeLessThan(1100)
    expect(report.evidence).toMatchObject([{ kind: 'note' }])
    expect(JSON.stringify(report).length).toBeLessThan(20_000)
  })

  it.each([
    [undefined],
    [null],
    ['done'],
    [1],
    [10n],
    [[true]],
    [{}],
    [{ passed: 'true' }],
    [{ passed: null }],
    [{ status: 'passed' }],
    [{ ok: true }],
    [{ passed: true, reason: 42 }],
    [{ passed: true, ok: false }],
    [{ passed: false, can_retry: 'yes' }],
    [() => true],
  ])('is an error for %s', async (value) => {
    const report = await ask(() => value)
    expect(report).toMatchObject({ status: 'error', canRetry: true, qualifiers: ['unverifiable'] })
    expect(report.reason).toContain('which is not understood')
  })

  it('is an error that no turn mends, before the first one', async () => {
    const before = { ...context, trigger: 'baseline', turn: 0 } as const
    const report = await verifierOf('check', () => 'done').verify(before, new AbortController().signal)
    expect(report).toMatchObject({ status: 'error', canRetry: false })
  })

  it('is an error when its promise is rejected', async () => {
    const report = await ask(async () => Promise.reject(new Error('offline')))
    expect(report).toMatchObject({ status: 'error', reason: 'check threw: offline' })
  })

  it('passes nothing but what says so', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (value) => {
        const { status } = await ask(() => value)
        if (status === 'passed') expect([true, { passed: true }]).toContainEqual(value)
      }),
    )
  })
})

describe('given a function that goes wrong', () => {
  it.each([
    ['throws', new Error('no such file'), 'check threw: no such file'],
    ['throws a text', 'just words', 'check threw: just words'],
    ['throws an error without words', new TypeError(), 'check threw: "TypeError"'],
    ['throws an object without a prototype', Object.create(null) as unknown, 'check threw: {}'],
  ])('is an error when it %s', async (_, thrown, reason) => {
    const report = await ask(() => {
      throw thrown
    })
    expect(report).toMatchObject({ status: 'error', reason })
  })

  it('is an error when it does not answer in time, and its signal says so', async () => {
    let given: AbortSignal | undefined
    const hang: UserVerifier = (_, signal) => {
      given = signal
      return never
    }
    const report = await ask(hang, { timeoutMs: 10 })
    expect(report).toMatchObject({
      status: 'error',
      reason: 'check did not answer within 0.01 s',
      qualifiers: ['infrastructure'],
    })
    expect(given?.aborted).toBe(true)
  })
})

describe('given an abort', () => {
  it('does not ask at all when it came before', async () => {
    let isAsked = false
    const report = await ask(() => (isAsked = true), {}, AbortSignal.abort())
    expect(report).toMatchObject({ status: 'error', reason: 'interrupted' })
    expect(isAsked).toBe(false)
  })

  it('does not take a pass that comes after it', async () => {
    const abort = new AbortController()
    const report = await ask(
      () => {
        abort.abort()
        return true
      },
      {},
      abort.signal,
    )
    expect(report).toMatchObject({ status: 'error', reason: 'interrupted' })
  })
})

describe('given misuse', () => {
  it('refuses a verifier without a name, and a bound of no time', () => {
    expect(() => verifierOf(' ', () => true)).toThrow(UsageError)
    expect(() => verifierOf('check', () => true, { timeoutMs: 0 })).toThrow(UsageError)
  })
})

describe('given a function that reads what another turn changes', () => {
  it.each<[string, UserVerifier, boolean]>([
    ['the answer', ({ finalText }) => finalText !== '', true],
    ['counts', ({ state }) => state.calls.model >= 0, true],
    ['the folder alone', ({ workFolder }) => workFolder !== '', false],
  ])('knows whether it read %s', async (_, ask, hasReadRun) => {
    const verifier = verifierOf('check', ask)
    await verifier.verify(context, new AbortController().signal)
    expect(verifier.hasReadRun?.()).toBe(hasReadRun)
  })
})
