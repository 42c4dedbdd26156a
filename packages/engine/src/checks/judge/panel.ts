import { quorum, type Vote } from '@donecheck/core/internal/decide/aggregate'
import type { JudgeEvidence } from '@donecheck/core/internal/events/verdicts'
import { UsageError, assertKnownKeys, sha256, type OptionKeys, messageOf, given } from '../../base/index.ts'
import type { Judge, JudgeAnswer, JudgeRequest } from '../../ports/judges.ts'
import { hear, voteOf } from '../verify/opinions/judging.ts'

export interface JudgePanelOptions {
  /** Judges that must agree. Default: more than half. */
  readonly atLeast?: number
  /** Default: `panel of` and its judges. */
  readonly name?: string
}

const keys: OptionKeys<JudgePanelOptions> = { atLeast: true, name: true }

/**
 * Met if `atLeast` judges say so, not met if unreachable, else abstained. Broken judges abstain.
 * @throws {UsageError} for fewer than two judges, equal names, or an unreachable number
 */
export function judgePanel(judges: readonly Judge[], options: JudgePanelOptions = {}): Judge {
  assertKnownKeys(options, keys, 'judgePanel')
  const names = judges.map(({ name }) => name)
  const { atLeast = Math.floor(judges.length / 2) + 1 } = options
  if (judges.length < 2) throw new UsageError(`a panel has ${judges.length} judges; give it two or more`)
  if (new Set(names).size < names.length)
    throw new UsageError(`two judges of a panel have one name (${names.join(', ')}); give each its own`)
  if (!Number.isInteger(atLeast) || atLeast < 1 || atLeast > judges.length)
    throw new UsageError(`atLeast is ${atLeast}; give a whole number from 1 to ${judges.length}`)
  const identities = judges.map(({ identity }) => identity)
  const identity = identities.includes(undefined) ? undefined : sha256(JSON.stringify([atLeast, identities]))
  return {
    name: options.name ?? `panel of ${names.join(', ')}`,
    members: judges,
    ...given({ identity }),
    async judge(request, signal) {
      const votes = await Promise.all(judges.map((judge) => ask(judge, request, signal)))
      return conclude(votes, atLeast)
    },
  }
}

interface JudgeVote {
  readonly word: JudgeEvidence
  readonly answer: JudgeAnswer
}

async function ask(judge: Judge, request: JudgeRequest, signal: AbortSignal): Promise<JudgeVote> {
  const answer = await hear(judge, request, [], signal).then(
    (heard) => heard.answer,
    (error: unknown): JudgeAnswer => ({
      kind: 'abstained',
      reason: `it threw: ${messageOf(error)}`,
      quotes: [],
      costUsd: null,
    }),
  )
  return { answer, word: voteOf(judge, answer) }
}

const statusOf = { met: 'passed', 'not-met': 'failed', abstained: 'error' } as const
const kindOf = { passed: 'met', failed: 'not-met' } as const

function conclude(votes: readonly JudgeVote[], atLeast: number): JudgeAnswer {
  const { status } = quorum({ atLeast })(votes.map(toVote))
  const kind = status === 'passed' || status === 'failed' ? kindOf[status] : 'abstained'
  const siding = votes.filter(({ answer }) => answer.kind === kind)
  const category = siding.map(({ answer }) => answer.category).find((one) => one !== undefined)
  const scores = siding.flatMap(({ answer }) => answer.score ?? [])
  const isUnavailable = kind === 'abstained' && siding.every(({ answer }) => answer.unavailable === true)
  return {
    kind,
    reason: reasonOf(votes, siding),
    ...(kind === 'not-met' && category !== undefined ? { category } : {}),
    ...(scores.length > 0 && scores.length === siding.length ? { score: Math.min(...scores) } : {}),
    quotes: siding.flatMap(({ answer }) => answer.quotes),
    ...(isUnavailable ? { unavailable: true } : {}),
    tokens: votes.reduce((sum, { answer }) => sum + (answer.tokens ?? 0), 0),
    costUsd: votes.reduce<number | null>((sum, { answer }) => addCost(sum, answer.costUsd), null),
    votes: votes.map(({ word }) => word),
  }
}

function addCost(sum: number | null, cost: number | null): number | null {
  return cost === null ? sum : (sum ?? 0) + cost
}

function toVote({ word }: JudgeVote): Vote {
  const verdict = {
    verifier: word.judge,
    status: statusOf[word.said],
    reason: word.reason,
    canRetry: true,
    qualifiers: [],
    evidence: [],
    durationMs: 0,
  }
  return { verdict, required: true, weight: 1, deterministic: false }
}

function reasonOf(votes: readonly JudgeVote[], siding: readonly JudgeVote[]): string {
  const said = siding.map(({ word }) => `${word.judge}: ${word.reason}`).join('; ')
  if (siding.length === votes.length) return said
  const count = (kind: JudgeEvidence['said']) => votes.filter(({ word }) => word.said === kind).length
  return `${count('met')} met, ${count('not-met')} not met, ${count('abstained')} cannot tell; ${said}`
}
