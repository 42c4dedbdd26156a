import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../agents/index.ts'
import type {
  DecidingRun,
  FaultTrialResult,
  Guard,
  PassDoubt,
  Verifier,
  VerifierResult,
} from '../../../ports/checks.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { begin, stage } from '../../../testing/index.ts'
import type { Checking } from '../session/world.ts'
import { verify } from './verify.ts'

const unseen: PassDoubt = { kind: 'unseen', line: 'npm test' }
const red: FaultTrialResult = { kind: 'red', fault: 'every source file made unreadable' }

function report(status: VerifierResult['status']): VerifierResult {
  return { status, reason: `it ${status}`, canRetry: true, qualifiers: [], evidence: [] }
}

/** A check with a sequence of reports; its trial ends as `result` says. */
async function scene(
  doubt: PassDoubt,
  said: readonly VerifierResult['status'][],
  {
    result,
    folder = '/srv/tree',
    ...checking
  }: Partial<Checking> & { result?: FaultTrialResult; folder?: string } = {},
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
  const deciding: DecidingRun = {
    isFirst: false,
    decide: async (inPlace) => ({ report: inPlace ?? report('error'), tree: 'work-folder' }),
    tryToFail: async (line) => {
      trials.push(line)
      return result ?? { kind: 'green' }
    },
  }
  const guard: Guard = {
    description: { ...check.description, name: 'guard', role: 'guard' },
    prepare: async () => ({
      ...{ report: report('passed'), folder, kind: 'work-folder', variant: 'work-folder', deciding },
      dispose: () => Promise.resolve(),
    }),
  }
  let looks = 0
  const given = {
    agent: scriptedAgent([]),
    verifiers: [check],
    workspace: { folder, fingerprint: async () => `tree ${(looks += 1)}` },
    guard,
    checking,
  }
  const { session, world, events } = stage(given)
  await begin(session, given)
  const ask = async (trigger: 'baseline' | 'turn') => {
    await verify({ kind: 'verify', trigger, verifiers: ['check'] }, session, world)
    const latest = events.filter((event) => event.type === 'verdict-given').at(-1)
    return latest?.type === 'verdict-given' ? latest.verdict : undefined
  }
  return { ask, trials }
}

describe('given a check whose success is written into its line', () => {
  const certain: PassDoubt = { kind: 'certain' }

  it('is refused before the first turn, with the way out, and no turn can change that', async () => {
    const { ask, trials } = await scene(certain, ['passed'])
    const verdict = await ask('baseline')
    expect(verdict).toMatchObject({ status: 'error', canRetry: false, qualifiers: ['unverifiable'] })
    expect(verdict?.reason).toMatch(/proves nothing.*ends with success.*--trust-check "check"/)
    expect(trials).toEqual([])
  })

  it('is believed only if a user vouches for it', async () => {
    const vouched = await scene(certain, ['passed'], { trusted: [{ check: 'check', by: 'ann' }] })
    expect(await vouched.ask('baseline')).toMatchObject({
      status: 'passed',
      evidence: [{ kind: 'note', text: 'ann vouches that check is able to fail' }],
    })
  })
})

describe('given a check that was never seen to fail', () => {
  it('is refused if it stays green with the whole product broken, and may be better after another turn', async () => {
    const { ask, trials } = await scene(unseen, [])
    const verdict = await ask('turn')
    expect(verdict).toMatchObject({ status: 'error', canRetry: true, qualifiers: ['unverifiable'] })
    expect(verdict?.reason).toMatch(/stays green with the whole product broken.*--trust-check "check"/)
    await ask('turn')
    expect(trials).toEqual(['npm test', 'npm test'])
  })

  it('is believed once a broken product has turned it red, and not tried again', async () => {
    const { ask, trials } = await scene(unseen, [], { result: red })
    const verdict = await ask('turn')
    expect(verdict).toMatchObject({ status: 'passed' })
    expect(JSON.stringify(verdict?.evidence)).toContain(
      'red in a copy with every source file made unreadable',
    )
    expect(await ask('turn')).toMatchObject({ status: 'passed' })
    expect(trials).toEqual(['npm test'])
  })

  it('is not tried on the baseline tree, which may be without any test', async () => {
    const { ask, trials } = await scene(unseen, [])
    expect(await ask('baseline')).toMatchObject({ status: 'passed' })
    expect(trials).toEqual([])
  })

  it.each([
    [{ kind: 'nothing-to-break' } as const, 'no source file to break'],
    [{ kind: 'undecided', reason: 'the disk is full' } as const, 'says nothing: the disk is full'],
  ])('is believed with a note if the trial ends as %o', async (result, note) => {
    const { ask } = await scene(unseen, [], { result })
    const verdict = await ask('turn')
    expect(verdict).toMatchObject({ status: 'passed' })
    expect(JSON.stringify(verdict?.evidence)).toContain(note)
  })
})

describe('given a check that was red', () => {
  it('is believed in the same run', async () => {
    const { ask, trials } = await scene(unseen, ['failed', 'passed', 'passed'])
    await ask('baseline')
    expect(await ask('turn')).toMatchObject({ status: 'passed' })
    expect(await ask('turn')).toMatchObject({ status: 'passed' })
    expect(trials).toEqual([])
  })

  it('is believed in a later run of the same project with the same command, and in no other', async () => {
    const verdicts = memoryStore()
    await (await scene(unseen, ['failed'], { verdicts })).ask('turn')
    const later = await scene(unseen, ['passed'], { verdicts })
    expect(await later.ask('turn')).toMatchObject({ status: 'passed' })
    expect(later.trials).toEqual([])
    const elsewhere = await scene(unseen, ['passed'], { verdicts, folder: '/srv/other' })
    expect(await elsewhere.ask('turn')).toMatchObject({ status: 'error' })
    const other = await scene({ kind: 'unseen', line: 'make' }, ['passed'], { verdicts })
    expect(await other.ask('turn')).toMatchObject({ status: 'error' })
  })
})
