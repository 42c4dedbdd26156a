import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalise } from './normalise.ts'

const read = (value: unknown) => normalise('check', value)

describe('given what users return', () => {
  it.each([
    [true, 'passed', 'check passed'],
    [false, 'failed', 'check failed'],
    [{ passed: true }, 'passed', 'check passed'],
    [{ passed: false, reason: '2 left' }, 'failed', '2 left'],
    [{ complete: true, reason: 'all there' }, 'passed', 'all there'],
    [{ complete: false, reason: 'one missing' }, 'failed', 'one missing'],
    [{ ok: true }, 'passed', 'check passed'],
    [{ ok: false, reason: 'no', impossible: false }, 'failed', 'no'],
    [{ passed: false, feedback: 'try again' }, 'failed', 'try again'],
    [{ continue: true, feedback: 'go on' }, 'failed', 'go on'],
    [{ continue: false }, 'passed', 'check passed'],
    [{ passed: true, reason: null }, 'passed', 'check passed'],
    [{ passed: true, reason: '  ' }, 'passed', 'check passed'],
    [{ passed: true, mine: { anything: 1 } }, 'passed', 'check passed'],
    [{ passed: true, complete: true, ok: true, continue: false }, 'passed', 'check passed'],
    [{ passed: true, output: 'all green' }, 'passed', 'check passed'],
    [{ passed: true, feedback: 'well done' }, 'passed', 'well done'],
    [{ passed: false, reason: 'red', canRetry: true }, 'failed', 'red'],
    [{ passed: false, reason: 'red', can_retry: true }, 'failed', 'red'],
    [{ complete: true }, 'passed', 'check passed'],
    [{ ok: true, reason: 'fine', impossible: false }, 'passed', 'fine'],
    [{ continue: false, feedback: 'all there' }, 'passed', 'all there'],
    [{ status: 'passed', reason: 'seen' }, 'passed', 'seen'],
    [{ status: 'failed' }, 'failed', 'check failed'],
    [{ status: 'error', reason: 'no network' }, 'error', 'no network'],
    [{ status: 'skipped' }, 'skipped', 'check does not apply'],
    [{ status: 'pending', passed: false }, 'pending', 'check is pending'],
  ])('understands %j as %s', (value, status, reason) => {
    expect(read(value)).toMatchObject({ status, reason, canRetry: true })
  })

  it.each([
    { passed: false, canRetry: false },
    { passed: false, can_retry: false },
    { ok: false, reason: 'no such thing', impossible: true },
    { status: 'failed', canRetry: false },
  ])('understands that no further turn can mend it: %j', (value) => {
    expect(read(value)).toMatchObject({ status: 'failed', canRetry: false })
  })

  it('keeps what was seen as a note', () => {
    const report = read({ passed: false, output: '1 test failed' })
    expect(report.evidence).toEqual([{ kind: 'note', text: '1 test failed' }])
  })

  it('keeps feedback beside a reason', () => {
    const report = read({ passed: false, reason: 'red', feedback: 'look at line 3' })
    expect(report).toMatchObject({ reason: 'red', evidence: [{ kind: 'note', text: 'look at line 3' }] })
  })

  it('keeps a score, a cost, qualifiers and evidence', () => {
    const evidence = [{ kind: 'note', text: 'quote' }]
    const report = read({ passed: true, score: 0.5, costUsd: 0.01, qualifiers: ['flaky'], evidence })
    expect(report).toMatchObject({ score: 0.5, costUsd: 0.01, qualifiers: ['flaky'], evidence })
  })

  it.each([
    { kind: 'file', path: 'a.txt', digest: null, bytes: 0 },
    { kind: 'measure', name: 'similarity', value: 0.5, bound: 0.7 },
    {
      kind: 'tests',
      format: 'own',
      counts: { passed: 1, failed: 0, errored: 0, skipped: 0, total: 1 },
      failed: [],
      skipped: [],
    },
  ])('keeps evidence of every kind: %j', (evidence) => {
    expect(read({ passed: true, evidence: [evidence] })).toMatchObject({
      status: 'passed',
      evidence: [evidence],
    })
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '0.5'])('does not take %s for a measure', (value) => {
    const evidence = [{ kind: 'measure', name: 'similarity', value }]
    expect(read({ passed: true, evidence })).toMatchObject({ status: 'error' })
  })

  it('shortens a reason that is no sentence and keeps all of it beside the verdict', () => {
    const long = 'x'.repeat(100_000)
    const report = read({ passed: false, reason: long })
    expect(report.reason.length).toBeLessThan(1100)
    expect(JSON.stringify(report.evidence).length).toBeLessThan(20_000)
    expect(report.attachments?.[0]?.content).toBe(long)
  })
})

describe('given what nobody can understand', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['"done"', 'done'],
    ['1', 1],
    ['NaN', Number.NaN],
    ['10', 10n],
    ['[true]', [true]],
    ['{}', {}],
    ['{"status":0}', { status: 0 }],
    ['{"status":"green"}', { status: 'green' }],
    ['{"passed":"true"}', { passed: 'true' }],
    ['{"passed":null}', { passed: null }],
    ['{"exitCode":0}', { exitCode: 0 }],
    ['"reason":42', { passed: true, reason: 42 }],
    ['score', { passed: true, score: Number.NaN }],
    ['score', { passed: true, score: 1.01 }],
    ['score', { passed: true, score: -0.1 }],
    ['score', { passed: true, score: '1' }],
    ['canRetry', { passed: true, canRetry: 'yes' }],
    ['costUsd', { passed: true, costUsd: -1 }],
    ['qualifiers', { passed: true, qualifiers: ['great'] }],
    ['evidence', { passed: true, evidence: [{ kind: 'promise' }] }],
    ['a function', () => true],
  ])('is an error that names %s', (named, value) => {
    const report = read(value)
    expect(report).toMatchObject({ status: 'error', canRetry: true })
    expect(report.reason).toContain(named)
  })

  it.each([
    { passed: true, complete: false },
    { passed: false, ok: true },
    { passed: true, continue: true },
    { ok: true, impossible: true },
    { status: 'passed', passed: false },
    { status: 'error', passed: true },
    { passed: false, canRetry: true, can_retry: false },
    { passed: false, canRetry: true, impossible: true },
  ])('is an error for the contradiction %j', (value) => {
    const report = read(value)
    expect(report.status).toBe('error')
    expect(report.reason).toContain('contradicts itself')
  })

  it('is an error for a value that has no JSON', () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(read(circle).status).toBe('error')
  })
})

describe('given anything at all', () => {
  const flags = fc.option(fc.boolean(), { nil: undefined })

  it('gives a status, a reason, and JSON that is the report', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const report = read(value)
        expect(['passed', 'failed', 'error', 'skipped', 'pending']).toContain(report.status)
        expect(report.reason).not.toBe('')
        expect(JSON.parse(JSON.stringify(report))).toEqual(report)
      }),
    )
  })

  it('never passes anything that has a voice against it', () => {
    const voices = { passed: flags, complete: flags, ok: flags, continue: flags, impossible: flags }
    fc.assert(
      fc.property(fc.record(voices), (value) => {
        const against =
          [value.passed, value.complete, value.ok].includes(false) ||
          value.continue === true ||
          value.impossible === true
        const isSilent = [value.passed, value.complete, value.ok, value.continue].every(
          (voice) => voice === undefined,
        )
        const { status } = read(value)
        expect(status === 'passed').toBe(!against && !isSilent)
      }),
    )
  })
})
