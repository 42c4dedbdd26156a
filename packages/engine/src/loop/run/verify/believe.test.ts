import { describe, expect, it } from 'vitest'
import { scriptedDrive } from '../../drives/index.ts'
import type { PassDoubt, FaultTrialResult, Verifier, VerifierReport } from '../../../ports/checks.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { begin, stage } from '../../../testing/index.ts'
import type { Checking } from './checking.ts'
import { verify } from './verify.ts'

const suspicion: PassDoubt = { kind: 'suspicion', reason: 'its failure may be lost' }
const certain: PassDoubt = { kind: 'certain', reason: 'it runs nothing that can fail' }

function report(status: VerifierReport['status']): VerifierReport {
  return { status, reason: `it ${status}`, canRetry: true, qualifiers: [], evidence: [] }
}

/** A check in doubt that answers one thing after the other. */
async function scene(
  doubt: PassDoubt,
  said: readonly VerifierReport['status'][],
  checking: Partial<Checking> = {},
) {
  const answers = [...said]
  const trials: string[] = []
  const check: Verifier = {
    description: {
      name: 'check',
      required: true,
      weight: 1,
      deterministic: true,
      reads: 'workspace',
      role: 'check',
    },
    doubt: () => doubt,
    verify: async () => report(answers.shift() ?? 'passed'),
  }
  const trialThat = (result: FaultTrialResult) => ({
    tryToFail: async ({ description }: Verifier) => {
      trials.push(description.name)
      return result
    },
  })
  const given = {
    drive: scriptedDrive([]),
    verifiers: [check],
    workspace: { folder: '/srv/tree', fingerprint: async () => 'tree' },
    checking: { faults: trialThat({ kind: 'not-red', tried: ['every test broken: passed'] }), ...checking },
  }
  const { session, world, events } = stage(given)
  await begin(session, given)
  const ask = async (trigger: 'baseline' | 'turn') => {
    await verify({ kind: 'verify', trigger, verifiers: ['check'] }, session, world)
    const latest = events.filter((event) => event.type === 'verdict-given').at(-1)
    return latest?.type === 'verdict-given' ? latest.verdict : undefined
  }
  return { ask, trials, trialThat }
}

describe('given a check that is certain to pass', () => {
  it('is refused before the first turn, with the way out, and no turn can change that', async () => {
    const { ask, trials } = await scene(certain, ['passed'])
    const verdict = await ask('baseline')
    expect(verdict).toMatchObject({ status: 'error', canRetry: false, qualifiers: ['unverifiable'] })
    expect(verdict?.reason).toMatch(/proves nothing.*runs nothing that can fail.*--trust-check "check"/)
    expect(trials).toEqual([])
  })

  it('is refused whatever the record says, but not where somebody vouches for it', async () => {
    const verdicts = memoryStore()
    await verdicts.learn({ ...report('failed'), verifier: 'check', durationMs: 1 })
    const refused = await scene(certain, ['passed'], { verdicts })
    expect(await refused.ask('baseline')).toMatchObject({ status: 'error' })
    const vouched = await scene(certain, ['passed'], { trusted: [{ check: 'check', by: 'ann' }] })
    expect(await vouched.ask('baseline')).toMatchObject({
      status: 'passed',
      evidence: [{ kind: 'note', text: 'ann vouches for check, although it runs nothing that can fail' }],
    })
  })

  it('is left alone while it is red', async () => {
    const { ask } = await scene(certain, ['failed'])
    expect(await ask('baseline')).toMatchObject({ status: 'failed' })
  })
})

describe('given a check that is suspected and green', () => {
  it('is refused where nothing turns it red, and says what was tried', async () => {
    const { ask, trials } = await scene(suspicion, ['passed'])
    const verdict = await ask('baseline')
    expect(verdict).toMatchObject({ status: 'error', canRetry: false, qualifiers: ['unverifiable'] })
    expect(verdict?.reason).toMatch(/never seen to fail.*every test broken: passed.*may be lost/)
    expect(trials).toEqual(['check'])
  })

  it('is believed once a fault has turned it red, and not asked to fail again', async () => {
    const { trialThat, trials } = await scene(suspicion, [])
    const faults = trialThat({ kind: 'red', fault: 'every test broken' })
    const { ask } = await scene(suspicion, ['passed', 'passed'], { faults })
    const baseline = await ask('baseline')
    expect(baseline).toMatchObject({ status: 'passed' })
    expect(JSON.stringify(baseline?.evidence)).toContain('seen to fail in a copy with every test broken')
    expect(await ask('turn')).toMatchObject({ status: 'passed', evidence: [] })
    expect(trials).toEqual(['check'])
  })

  it('is believed where it was red before, in this run or in the record', async () => {
    const inRun = await scene(suspicion, ['failed', 'passed'])
    await inRun.ask('baseline')
    expect(await inRun.ask('turn')).not.toMatchObject({ status: 'error', qualifiers: ['unverifiable'] })
    expect(inRun.trials).toEqual([])
    const verdicts = memoryStore()
    await verdicts.learn({ ...report('failed'), verifier: 'check', durationMs: 1 })
    const inRecord = await scene(suspicion, ['passed'], { verdicts })
    expect(await inRecord.ask('baseline')).toMatchObject({ status: 'passed' })
    expect(inRecord.trials).toEqual([])
  })

  it('is refused where no copy can be made, or nothing can be planted', async () => {
    const faults = { tryToFail: () => Promise.reject(new Error('the disk is full')) }
    const broken = await scene(suspicion, ['passed'], { faults })
    expect((await broken.ask('baseline'))?.reason).toContain('the disk is full')
    const without = await scene(suspicion, ['passed'], { faults: null })
    expect(await without.ask('baseline')).toMatchObject({ status: 'error' })
  })
})
