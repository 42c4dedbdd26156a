import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runRow, insightsOf } from '@donecheck/engine/internal/insight/insights'
import { eventsOf, readRecordings, recordings, type RecordedRun } from './recordings.ts'

/** Straight from the lines of the source: neither events nor rows nor sums of ours. */
function recount(runs: readonly RecordedRun[]) {
  const counts = {
    ...{ runs: 0, verified: 0, turns: 0, toolCalls: 0, input: 0, output: 0, claims: 0, falseClaims: 0 },
    ...{ firstTries: 0, firstTryPasses: 0, catches: 0, green: 0 },
  }
  const tools = new Map<string, number>()
  const models = new Map<string, number>()
  for (const { outcome, turns, model } of runs) {
    counts.runs += 1
    if (outcome.resolved === true) counts.verified += 1
    if (outcome.resolved === true && turns.length > 0) counts.green += 1
    if (outcome.resolved === false && turns.length > 0) counts.catches += 1
    models.set(model ?? '(not told)', (models.get(model ?? '(not told)') ?? 0) + 1)
    let claimsBefore = 0
    turns.forEach(({ toolCalls, tokens }, place) => {
      counts.turns += 1
      counts.toolCalls += toolCalls.length
      for (const { name } of toolCalls) tools.set(name, (tools.get(name) ?? 0) + 1)
      if (tokens?.in != null && tokens.out != null) {
        counts.input += tokens.in
        counts.output += tokens.out
      }
      if (toolCalls.length > 0) return
      counts.claims += 1
      const isLast = place === turns.length - 1
      if (isLast && outcome.resolved === false) counts.falseClaims += 1
      if (isLast && outcome.resolved !== null && claimsBefore === 0) counts.firstTries += 1
      if (isLast && outcome.resolved === true && claimsBefore === 0) counts.firstTryPasses += 1
      claimsBefore += 1
    })
  }
  return { counts, tools, models }
}

describe.skipIf(!existsSync(recordings))('given the recorded runs of other agents', () => {
  it('then every figure is that of a plain script over their lines', { timeout: 60_000 }, () => {
    const runs = readRecordings(recordings).filter(({ turns }) => turns.length > 0)
    const rows = runs.flatMap((run, index) => runRow(eventsOf(run, index)) ?? [])
    const { total, by } = insightsOf(rows)
    if (total === null) throw new TypeError('nothing is told')
    const { counts, tools, models } = recount(runs)
    expect({
      runs: total.runs,
      verified: total.verified.part,
      turns: total.turns,
      toolCalls: total.toolCalls,
      input: total.tokens.input,
      output: total.tokens.output,
      claims: total.falseDone.whole,
      falseClaims: total.falseDone.part,
      firstTries: total.firstTry.whole,
      firstTryPasses: total.firstTry.part,
      catches: total.checks.each[0]?.failures,
      green: total.roundsToGreen.runs,
    }).toEqual(counts)
    expect(Object.fromEntries(by.model.map(({ name, figures }) => [name, figures.runs]))).toEqual(
      Object.fromEntries(models),
    )
    const told = Object.fromEntries(total.tools.map(({ name, count }) => [name, count]))
    const [[busiest, calls] = ['', 0]] = [...tools].sort(([, one], [, other]) => other - one)
    expect(told[busiest]).toBe(calls)
    expect(Object.values(told).reduce((sum, count) => sum + count, 0)).toBe(counts.toolCalls)
  })
})
