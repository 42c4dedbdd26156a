/** Runs whose check gives scores: one turn, one new tree, one verification each. */
import { expect, it, describe } from 'vitest'
import type { Finding } from '../../events/index.ts'
import {
  standardLoopDetection,
  standardStagnation,
  type StagnationSettings,
} from '../../events/settings/index.ts'
import {
  begun,
  checked,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  standardJudgement,
  type Given,
  claimed,
} from '../../testing/index.ts'
import { turnEnded, workspaceObserved } from '../../testing/facts.ts'
import { stagnation } from './stagnation.ts'
import fc from 'fast-check'
import type { RunState } from '../../state/index.ts'

const judgement = { rules: [...standardJudgement.rules, stagnation] }

function softTier(settings: Partial<StagnationSettings>) {
  const loopDetection = { ...standardLoopDetection, mode: 'off' as const }
  return {
    loopDetection,
    stagnation: { ...standardStagnation, changesPerClaim: 1, ...settings },
    tokenBudget: null,
  }
}

/** A run whose check had that score on the baseline tree. */
function startedAt(score: number, settings: Partial<StagnationSettings> = {}): Given {
  const soft = softTier(settings)
  return given(begun({ verifiers: ['tests'], soft }, verdictOf(score)), workspaceObserved('tree-0'))
}

/** Numbers in a failure say nothing, words do. */
const letters = 'abcdefghij'
const words = Array.from(
  { length: 100 },
  (_, index) => `${letters.charAt(Math.floor(index / 10))}${letters.charAt(index % 10)}`,
)

/** By default the same failures for the same score. */
function verdictOf(score: number, reason = `it fails as ${words[Math.round(score * 100) % 100]}`) {
  return score === 1 ? passedVerdict('tests') : failedVerdict('tests', { score, reason })
}

/** A turn that makes a new tree, and what the check says of it. */
function worked(before: Given, turn: number, score: number, reason?: string, tree = `tree-${turn}`): Given {
  return before.and(edited(turn, tree), checked('change', verdictOf(score, reason)), workspaceObserved(tree))
}

/** The finding after each of these scores. */
function findingsOf(before: Given, scores: readonly number[], reasons: readonly string[] = []) {
  const findings: (Finding | undefined)[] = []
  let run = before
  for (const [index, score] of scores.entries()) {
    run = worked(run, index + 1, score, reasons[index])
    findings.push(stagnation(run.state))
    run = run.and(turnEnded(index + 1))
  }
  return { run, findings }
}

/** The number of the verification at which the run is ended, counted from 1 and the baseline left out; 0: at none. */
function endsAt(
  baseline: number,
  scores: readonly number[],
  settings: Partial<StagnationSettings> = { patienceVerifications: 3 },
  reasons?: readonly string[],
): number {
  const { findings } = findingsOf(startedAt(baseline, settings), scores, reasons)
  return findings.findIndex((finding) => finding?.level === 'stop') + 1
}

function levelOf(state: RunState): string | undefined {
  return stagnation(state)?.level
}

describe('given scores that others were tried with, and a patience of 3', () => {
  it.each([
    ['constant 0', 0, [0, 0, 0, 0, 0], 3],
    ['constant 0.5', 0, [0.5, 0.5, 0.5, 0.5, 0.5], 4],
    ['up and down, which never ended elsewhere', 0, [0.2, 0.5, 0.2, 0.5, 0.2, 0.5], 5],
    ['down only', 0.9, [0.8, 0.7, 0.6, 0.5], 0],
    ['down only, far enough', 0.9, [0.8, 0.7, 0.6, 0.5, 0.4, 0.3], 6],
    ['always up', 0, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 0],
    ['a step forward in time', 0, [0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3], 0],
    ['back to the best, which is not better than it', 0, [0.5, 0.3, 0.3, 0.5], 4],
  ])('%s', (_, baseline, scores, expected) => {
    expect(endsAt(baseline, scores)).toBe(expected)
  })
})

describe('given failures that were never seen', () => {
  const reasons = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota']
  const flat = reasons.map(() => 0.5)

  it('doubles the patience, and no more', () => {
    expect(endsAt(0.5, flat, { patienceVerifications: 3 }, reasons)).toBe(6)
  })

  it('ends it with the first that comes again', () => {
    const again = ['alpha', 'beta', 'gamma', 'delta', 'alpha', 'zeta']
    expect(endsAt(0.5, flat, { patienceVerifications: 3 }, again)).toBe(5)
  })

  it('going back to the tree of an earlier try is seen as well', () => {
    let run = startedAt(0.5, { patienceVerifications: 2 })
    run = worked(run, 1, 0.5, 'alpha', 'tree-a').and(turnEnded(1))
    run = worked(run, 2, 0.5, 'beta', 'tree-b')
    expect(levelOf(run.state)).toBe('warn')
    run = worked(run.and(turnEnded(2)), 3, 0.5, 'alpha', 'tree-a')
    expect(levelOf(run.state)).toBe('stop')
  })
})

describe('given an epsilon', () => {
  const noisy = { patienceVerifications: 3, epsilonScore: 0.1 }

  it('what is better by no more than that is no progress', () => {
    expect(endsAt(0.25, [0.35, 0.35, 0.35], noisy)).toBe(3)
  })

  it('small steps that add up to more are', () => {
    expect(endsAt(0.25, [0.3, 0.34, 0.38, 0.42, 0.46, 0.5], noisy)).toBe(0)
  })
})

describe('given a check that was green before', () => {
  it('what is broken after a long green stretch has the whole patience', () => {
    expect(endsAt(1, [1, 1, 1, 1, 1, 0.5, 0.5, 0.5])).toBe(8)
    expect(endsAt(1, [1, 1, 1, 1, 1, 0.5, 0.5, 1, 0.5, 0.5])).toBe(0)
  })
})

describe('given a tree that is verified again unchanged', () => {
  const claim = (run: Given, turn: number) =>
    run.and(claimed(turn, 'Done!'), checked('claim', verdictOf(0.5)), workspaceObserved(`tree-1`))

  it('counts it once: a claim that is made again is not work that leads nowhere', () => {
    let run = worked(startedAt(0.5, { patienceVerifications: 2 }), 1, 0.5)
    for (let turn = 2; turn < 8; turn += 1) run = claim(run.and(turnEnded(turn - 1)), turn)
    expect(run.state.activity.verifications.at(-1)).toMatchObject({ sinceBest: 1 })
    expect(levelOf(run.state)).toBe('warn')
  })

  it('what the checks themselves write is no change', () => {
    const check = (run: Given, turn: number) =>
      run
        .and(turnEnded(turn - 1), claimed(turn), checked('claim', verdictOf(0.5)))
        .and(workspaceObserved(`coverage-${turn}`))
    let run = worked(startedAt(0.5, { patienceVerifications: 2 }), 1, 0.5)
    for (let turn = 2; turn < 6; turn += 1) run = check(run, turn)
    expect(run.state.activity.verifications.at(-1)).toMatchObject({ sinceBest: 1 })
  })
})

describe('given half of the patience', () => {
  const { findings } = findingsOf(startedAt(0.25), [0.5, 0.4, 0.4, 0.4, 0.4])

  it('tells the agent how good it was, how long ago, and to go back', () => {
    expect(findings.map((finding) => finding?.level)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'warn',
    ])
    const finding = findings.at(-1)
    expect(finding?.numbers).toMatchObject({ best: 0.5, score: 0.4, sinceBest: 4, bestTurn: 1, patience: 8 })
    expect(finding?.advice).toContain('50 % of the checks and tests after turn 1')
    expect(finding?.advice).toContain('Still open: tests. Go back to what you had then')
    expect(finding?.basedOn).toHaveLength(5)
  })

  it('is told once for a stretch, and again for the next one', () => {
    const keys = (finding: Finding | undefined) => finding?.key
    expect(keys(findings.at(-1))).toBe('1')
    const later = findingsOf(startedAt(0.25), [0.5, 0.5, 0.5, 0.5, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6]).findings
    expect(later.flatMap((finding) => keys(finding) ?? [])).toEqual(['1', '6'])
  })
})

describe('given the whole patience', () => {
  const flat = [0, 0, 0, 0, 0, 0, 0]

  it('ends the run as stagnated, and finished work is never ended so', () => {
    const before = findingsOf(startedAt(0), flat).run
    worked(before, 8, 0)
      .afterNotes(judgement)
      .whenDecided(judgement)
      .then({
        kind: 'stop',
        transition: { reason: 'stagnated', outcome: 'exhausted', lastCheck: 'run' },
      })
    worked(before, 8, 1)
      .afterNotes(judgement)
      .whenDecided(judgement)
      .then({ kind: 'stop', transition: { reason: 'task_complete' } })
  })
})

describe('given work that nobody calls done', () => {
  const edits = Array.from({ length: 50 }, () => 0)

  it('has five times the patience', () => {
    expect(endsAt(0, edits, { patienceVerifications: 8, changesPerClaim: 5 })).toBe(40)
  })
})

describe('given another mode', () => {
  const flat = [0, 0, 0, 0, 0]

  it('shadow records what would be, and does nothing', () => {
    const shadow = startedAt(0, { mode: 'shadow', patienceVerifications: 4 })
    const before = findingsOf(shadow, flat.slice(0, 3)).run
    const run = worked(before, 4, 0)
    expect(stagnation(run.state)).toMatchObject({
      level: 'note',
      rule: 'shadow:stagnation',
      key: 'stop:0',
    })
    expect(stagnation(run.state)?.message).toMatch(/^would end the run: 4 verifications in a row/)
    run.afterNotes(judgement).whenDecided(judgement).then({ kind: 'continue' })
  })
})

describe('given any scores', () => {
  const score = fc.integer({ min: 0, max: 9 }).map((tenth) => tenth / 10)
  const patience = fc.integer({ min: 1, max: 5 })

  it('ends exactly where the rule says, with failures that are the same for the same score', () => {
    fc.assert(
      fc.property(score, fc.array(score, { maxLength: 14 }), patience, (baseline, scores, tries) => {
        expect(endsAt(baseline, scores, { patienceVerifications: tries })).toBe(
          byHand(baseline, scores, tries),
        )
      }),
    )
  })

  /** The rule, said once more: over all scores, without a fold. */
  function byHand(baseline: number, scores: readonly number[], tries: number): number {
    const all = [baseline, ...scores]
    const found = scores.findIndex((_, index) => {
      const now = index + 1
      let best = 0
      for (let at = 1; at <= now; at += 1)
        if ((all[at] ?? 0) > Math.max(...all.slice(0, at)) + 1e-6) best = at
      const since = now - best
      const wasSeen = all.slice(0, now).includes(all[now] ?? 0)
      return since >= tries * 2 || (since >= tries && wasSeen)
    })
    return found + 1
  }
})
