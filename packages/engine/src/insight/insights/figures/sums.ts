/** Numbers of one row that add up. */
import type { RunRow } from '../row.ts'

/** What a run, a check and a detector add to the sums of many. */
export function sumsOf(row: RunRow) {
  const isVerified = row.outcome === 'verified'
  const { messages, costUsd } = row
  return {
    runs: 1,
    ended: one(row.outcome !== null),
    verified: one(isVerified),
    firstTries: one(row.isFirstTry !== null),
    firstTryPasses: one(row.isFirstTry === true),
    claims: row.claims,
    falseClaims: row.falseClaims,
    claimingRuns: one(row.claims > 0),
    turns: row.turns,
    modelCalls: row.modelCalls,
    toolCalls: row.toolCalls,
    userMessages: messages.user,
    assistantMessages: messages.assistant,
    toolMessages: messages.tool,
    inputTokens: row.inputTokens,
    cachedInputTokens: row.cachedInputTokens,
    outputTokens: row.outputTokens,
    reasoningTokens: row.reasoningTokens,
    activeMs: row.activeMs,
    pricedRuns: one(costUsd !== null),
    pricedVerified: one(costUsd !== null && isVerified),
    costUsd: costUsd ?? 0,
    pricedChecksUsd: costUsd === null ? 0 : row.checksCostUsd,
    checksCostUsd: row.checksCostUsd,
    checksMs: row.checks.reduce((sum, { ms }) => sum + ms, 0),
    overrides: row.overrides,
    waivers: row.waivers,
  }
}

export type Sums = ReturnType<typeof sumsOf>

export const checkSums = { runs: 0, failures: 0, flakes: 0, ms: 0, costUsd: 0 }
export const findingSums = { findings: 0, runs: 0, ended: 0, verified: 0 }

export type Numbers<Name extends string> = Record<Name, number>

export function add<Name extends string>(to: Numbers<Name>, some: Readonly<Numbers<Name>>): void {
  for (const name in to) to[name] += some[name]
}

function one(isCounted: boolean): number {
  return isCounted ? 1 : 0
}
