/** Runs whose check gives scores: one turn, one new tree, one verification each. */
import { expect, it } from 'vitest'
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
} from '../../testing/index.ts'
import { turnEnded, workspaceObserved } from '../../testing/facts.ts'
import { stagnation } from './stagnation.ts'

export const judgement = { rules: [...standardJudgement.rules, stagnation] }

export function softTier(settings: Partial<StagnationSettings>) {
  const loopDetection = { ...standardLoopDetection, mode: 'off' as const }
  return {
    loopDetection,
    stagnation: { ...standardStagnation, changesPerClaim: 1, ...settings },
    tokenBudget: null,
  }
}

/** A run whose check had that score on the baseline tree. */
export function startedAt(score: number, settings: Partial<StagnationSettings> = {}): Given {
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
export function verdictOf(score: number, reason = `it fails as ${words[Math.round(score * 100) % 100]}`) {
  return score === 1 ? passedVerdict('tests') : failedVerdict('tests', { score, reason })
}

/** A turn that makes a new tree, and what the check says of it. */
export function worked(
  before: Given,
  turn: number,
  score: number,
  reason?: string,
  tree = `tree-${turn}`,
): Given {
  return before.and(edited(turn, tree), checked('change', verdictOf(score, reason)), workspaceObserved(tree))
}

/** The finding after each of these scores. */
export function findingsOf(before: Given, scores: readonly number[], reasons: readonly string[] = []) {
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
export function endsAt(
  baseline: number,
  scores: readonly number[],
  settings: Partial<StagnationSettings> = { patienceVerifications: 3 },
  reasons?: readonly string[],
): number {
  const { findings } = findingsOf(startedAt(baseline, settings), scores, reasons)
  return findings.findIndex((finding) => finding?.level === 'stop') + 1
}

it('given no scores, then nothing is found', () => {
  expect(findingsOf(startedAt(0), []).findings).toEqual([])
})
