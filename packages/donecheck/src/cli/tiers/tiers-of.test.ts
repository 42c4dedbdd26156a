/** The audit as a pure function: from settings and record to tiers. */
import { describe, expect, it } from 'vitest'
import type { RuleMode } from '@donecheck/core/base'
import {
  standardLoopDetection,
  standardStagnation,
  type ReplyCheckSettings,
  type SoftSettings,
} from '@donecheck/core/settings'
import { agentDrive, modelDrive, runStarted, type RunChoices } from '@donecheck/core/testing'
import type { HookHost, RowState, TierName, TierSubject } from './tier.ts'
import { tiersReport } from './tiers-of.ts'

const softSettings = (mode: RuleMode = 'on'): SoftSettings => ({
  loopDetection: { ...standardLoopDetection, mode },
  stagnation: { ...standardStagnation, mode },
  tokenBudget: null,
})

function aRun(choices: RunChoices, more: Partial<TierSubject> = {}): TierSubject {
  const { settings } = runStarted({ soft: softSettings(), ...choices })
  return {
    ...{ workFolder: '/srv/shop', config: {}, settings, drive: modelDrive },
    ...{ known: new Map(), offered: [], notes: [], host: null },
    ...more,
  }
}

const hooks: HookHost = {
  ...{ agent: 'codex', title: 'Codex', hooks: 'installed', claims: ['UpdateGoal', 'Stop'] },
  ...{ problems: [], onBrokenCheck: 'hold', whenUnchanged: undefined },
}

const audited = (subject: TierSubject, costs = new Map()) => tiersReport(subject, costs)

function tierIn(subject: TierSubject, name: TierName) {
  const found = audited(subject).tiers.find(({ tier }) => tier === name)
  if (found === undefined) throw new TypeError(`there is no tier ${name}`)
  return found
}

const statesIn = (subject: TierSubject, name: TierName): Readonly<Record<string, RowState>> =>
  Object.fromEntries(tierIn(subject, name).rows.map(({ name: row, state }) => [row, state]))

const whatOf = (subject: TierSubject, tier: TierName, row: string) =>
  tierIn(subject, tier).rows.find(({ name }) => name === row)?.what

const tests = { verifiers: ['npm test'], caps: { maxIterations: 90 } } as const
const idle = (name: string) => new Map([[name, { what: 'proves nothing', isIdle: true }]])

describe('given a run without checks', () => {
  it('then the hard tier is empty, and its line is one to type', () => {
    const { empty, tiers } = audited(aRun({ caps: { maxIterations: 90 } }))
    expect(empty).toEqual(['hard'])
    expect(tiers[0]?.fill).toEqual({
      line: 'donecheck run --until "COMMAND" "TASK"',
      key: "until: 'COMMAND'",
    })
  })

  it('then the word of the drive ends it, and stagnation has nothing to compare', () => {
    expect(whatOf(aRun({}), 'lazy', 'claim')).toBe('ends the run, as unverified (exit 4)')
    expect(statesIn(aRun({}), 'soft')).toMatchObject({ stagnation: 'idle', 'loop detection': 'stands' })
  })

  it('then guard and probe alone decide nothing', () => {
    const verifiers = [
      { name: 'tamper guard', role: 'guard' as const },
      { name: 'a probe', role: 'probe' as const },
    ]
    const subject = aRun({ verifiers })
    expect(new Set(Object.values(statesIn(subject, 'hard')))).toEqual(new Set(['idle']))
    expect(audited(subject).empty).toContain('hard')
  })
})

describe('given a run with checks', () => {
  it('then those that decide are hard, those that advise are soft, and no tier is empty', () => {
    const verifiers = ['npm test', { name: 'judge', required: false, deterministic: false }] as const
    const subject = aRun({ ...tests, verifiers })
    expect(statesIn(subject, 'hard')).toEqual({ 'npm test': 'stands' })
    expect(statesIn(subject, 'soft')).toMatchObject({ judge: 'advises' })
    expect(audited(subject)).toMatchObject({ empty: [], schemaVersion: 1 })
  })

  it('then one that can never decide puts the tier in doubt, and alone leaves it empty', () => {
    const known = idle('lint')
    const both = aRun({ ...tests, verifiers: ['npm test', 'lint'] }, { known })
    expect(tierIn(both, 'hard').state).toBe('doubtful')
    expect(audited(aRun({ verifiers: ['lint'] }, { known })).empty).toContain('hard')
  })

  it('then the claim ends nothing by itself', () => {
    expect(whatOf(aRun(tests), 'lazy', 'claim')).toContain('ends nothing by itself')
    expect(whatOf(aRun({ ...tests, completeWhen: 'checks-and-claim' }), 'lazy', 'claim')).toContain('beside')
  })

  it('then a judge of replies is hard where it verifies, and soft where it does not', () => {
    const settings: Omit<ReplyCheckSettings, 'verifies'> = {
      ...{ maxAttempts: 3, messagingTools: [], streams: false, delivers: true },
      trigger: 'all',
      onUndecided: 'deliver',
    }
    const judged = (verifies: boolean) => aRun({ replyCheck: { ...settings, verifies } })
    expect(statesIn(judged(true), 'hard')).toEqual({ judge: 'stands' })
    expect(statesIn(judged(false), 'soft')).toMatchObject({ judge: 'advises' })
  })
})

describe('given rules and caps', () => {
  it('then what is off or only recorded fills no tier', () => {
    const subject = aRun({ ...tests, soft: softSettings('shadow'), caps: {} })
    expect(audited(subject).empty).toEqual(['soft', 'caps'])
    expect(tierIn(subject, 'soft').fill?.line).toBe('donecheck run --loop-detection on "TASK"')
    expect(tierIn(subject, 'caps').fill?.key).toBe('maxTurns: 90')
  })

  it('then a default is told from what was said, and each has its flag and its key', () => {
    const subject = aRun(
      { ...tests, caps: { maxIterations: 90, maxWallClockMs: 5000, maxCallsPerTool: { web: 2 } } },
      { config: { maxSeconds: 5 } },
    )
    expect(whatOf(subject, 'caps', 'iterations')).toBe('90 by default')
    expect(whatOf(subject, 'caps', 'wall_clock')).toBe('5.0 s')
    expect(tierIn(subject, 'caps').rows).toContainEqual({
      ...{ name: 'cost', state: 'off', what: 'none', cost: null },
      option: { flag: '--max-cost-usd', key: 'maxCostUsd' },
    })
    expect(statesIn(subject, 'caps')).toMatchObject({ 'tool_calls of web': 'stands' })
  })

  it('then a cap that nobody can count for is no fuse', () => {
    const subject = aRun({ caps: { maxTokens: 5000 } }, { drive: agentDrive })
    expect(statesIn(subject, 'caps')).toMatchObject({ tokens: 'idle', iterations: 'off' })
    expect(audited(subject).empty).toContain('caps')
    for (const name of ['cost', 'output_tokens']) expect(statesIn(subject, 'caps')).not.toHaveProperty(name)
    expect(statesIn(subject, 'soft')).not.toHaveProperty('token budget')
  })
})

describe('given an agent with hooks', () => {
  const known = new Map([['npm test', { what: 'must exit with 0', isIdle: false }]])
  const hosted = (more: Partial<HookHost>, choices: RunChoices = tests) =>
    aRun(choices, { host: { ...hooks, ...more }, drive: agentDrive, known })

  it('then its word is answered by the checks, at its own hooks', () => {
    const subject = hosted({}, { ...tests, caps: { maxBlockedStops: 5 } })
    expect(whatOf(subject, 'lazy', 'claim')).toContain('at UpdateGoal and Stop')
    expect(whatOf(subject, 'lazy', 'blocked stop')).toContain('after 5 in a row')
    expect(whatOf(subject, 'lazy', 'turn without change')).toContain('where a person asked')
    expect(audited(subject)).toMatchObject({ empty: [], subject: { kind: 'agent', hooks: 'installed' } })
  })

  it('then it is told what was chosen at the installation', () => {
    const subject = hosted({ whenUnchanged: 'verify', onBrokenCheck: 'allow-stop' })
    expect(whatOf(subject, 'lazy', 'turn without change')).toContain('checked like any other')
    expect(whatOf(subject, 'lazy', 'broken check')).toBe('lets it stop, not verified')
    expect(whatOf(subject, 'lazy', 'blocked stop')).toBe('is blocked as long as a check is red')
  })

  it('then hooks that may not run put all but its word in doubt', () => {
    const { tiers } = audited(hosted({ problems: ['there is no hook for Stop'] }))
    expect(tiers.map(({ state }) => state)).toEqual(['doubtful', 'doubtful', 'stands', 'doubtful'])
  })

  it('then without hooks nothing stands but its word, and an installation fills all', () => {
    const { empty, tiers } = audited(hosted({ hooks: 'none' }))
    expect(empty).toEqual(['hard', 'soft', 'caps'])
    expect(new Set(tiers.flatMap(({ fill }) => fill?.line ?? []))).toEqual(
      new Set(['donecheck install codex']),
    )
    expect(whatOf(hosted({ hooks: 'none' }), 'lazy', 'claim')).toBe(
      'ends the work: Codex stops when it likes',
    )
    expect(statesIn(hosted({ hooks: 'none' }), 'hard')).toEqual({ 'npm test': 'offered' })
  })
})
