import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { VerifierContext } from '../../../ports/checks.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { verifierOf, type UserVerifier, type VerifierOfOptions } from './verifier-of.ts'

const never = new Promise(() => undefined)

verifierContract('verifierOf', {
  passing: () => verifierOf('file is there', () => ({ passed: true, output: 'seen' })),
  failing: () => verifierOf('file is there', async () => ({ ok: false, reason: 'not there' })),
  makeUndecided: () => verifierOf('file is there', () => 'perhaps'),
  hanging: (onStart) =>
    verifierOf('file is there', () => {
      onStart()
      return never
    }),
})

const context: VerifierContext = {
  runId: 'run-1',
  workFolder: null,
  task: 'make it green',
  finalText: 'the answer',
  trigger: 'claim',
  turn: 1,
  fingerprint: undefined,
  baseline: undefined,
}

function ask(answer: UserVerifier, options?: VerifierOfOptions, signal = new AbortController().signal) {
  return verifierOf('check', answer, options).verify(context, signal)
}

describe('given a function of the user', () => {
  it('hands it the context', async () => {
    expect(await ask(({ finalText }) => finalText === 'the answer')).toMatchObject({ status: 'passed' })
  })

  it('waits for its promise', async () => {
    expect(await ask(async () => ({ passed: false, reason: 'later' }))).toMatchObject({ reason: 'later' })
  })
})

describe('given a function that goes wrong', () => {
  it.each([
    ['throws', new Error('no such file'), 'check threw: no such file'],
    ['throws a text', 'just words', 'check threw: just words'],
    ['throws nothing', undefined, 'check threw: undefined'],
    ['throws an error without words', new TypeError(), 'check threw: "TypeError"'],
    ['throws an object without a prototype', Object.create(null) as unknown, 'check threw: {}'],
  ])('is an error when it %s', async (_, thrown, reason) => {
    const report = await ask(() => {
      throw thrown
    })
    expect(report).toMatchObject({ status: 'error', reason })
  })

  it('is an error when its promise is rejected', async () => {
    const report = await ask(async () => Promise.reject(new Error('offline')))
    expect(report).toMatchObject({ status: 'error', reason: 'check threw: offline' })
  })

  it('is an error when reading its answer throws', async () => {
    const trap = {
      get passed(): boolean {
        throw new Error('do not look')
      },
    }
    const report = await ask(() => trap)
    expect(report).toMatchObject({
      status: 'error',
      reason: 'check answered what cannot be read: do not look',
    })
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

  it('is out of time, not interrupted, where everything is aborted because of that', async () => {
    const outer = new AbortController()
    const hang: UserVerifier = (_, signal) => {
      signal.addEventListener('abort', () => outer.abort())
      return never
    }
    expect(await ask(hang, { timeoutMs: 10 }, outer.signal)).toMatchObject({
      reason: 'check did not answer within 0.01 s',
      qualifiers: ['infrastructure'],
    })
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
  it('refuses a verifier without a name', () => {
    expect(() => verifierOf(' ', () => true)).toThrow(UsageError)
  })

  it('refuses a bound of no time', () => {
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
