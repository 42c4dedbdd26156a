/** Recomputes every figure from the events, without folds, rows and sums. */
import { it as property, fc } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { begun, checked, claimed, edited, stamp, verdictOf, type Step } from '@donecheck/core/testing'
import { findingNoted, runStopped, turnEnded } from '@donecheck/core/internal/testing/facts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { memoryStore } from '../../testing/index.ts'
import { knownRuns } from './keep-rows.ts'
import { insightsOf, type Insights } from './report.ts'

const checks = ['npm test', 'npm run lint']

const statuses = ['passed', 'passed', 'failed', 'error', 'skipped'] as const

const verdicts = fc
  .record({
    first: fc.constantFrom(...statuses),
    second: fc.constantFrom(...statuses),
    durationMs: fc.nat(5000),
    isFlaky: fc.boolean(),
  })
  .map(({ first, second, durationMs, isFlaky }) => {
    const details = { durationMs, qualifiers: isFlaky ? (['flaky'] as const) : [], costUsd: 0.5 }
    return [first, second].map((status, index) =>
      verdictOf(status, checks[index] ?? '', status === 'skipped' ? {} : details),
    )
  })

/** One turn: an edit or a claim, and possibly a verification and a warning. */
const turn = fc.record({
  isClaim: fc.boolean(),
  verdicts: fc.option(verdicts),
  warning: fc.option(fc.constantFrom('ping_pong', 'repeated_call')),
  feedback: fc.boolean(),
})

const end = fc.constantFrom(
  runStopped('task_complete', { outcome: 'verified' }),
  runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' }),
  runStopped('loop_detected', { outcome: 'exhausted', detector: 'ping_pong' }),
  runStopped('model_ended', { outcome: 'unverified' }),
  undefined,
)

const anyRun = fc.record({
  model: fc.constantFrom('a/one', 'b/two', null),
  workFolder: fc.constantFrom('/srv/shop', '/srv/till', null),
  startMs: fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 2, 1) }),
  baseline: fc.option(verdicts),
  turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
  end,
})

type AnyRun = typeof anyRun extends fc.Arbitrary<infer Made> ? Made : never

function eventsOf(
  { model, workFolder, startMs, baseline, turns, end: stopped }: AnyRun,
  index: number,
): readonly RunEvent[] {
  const agent = model === null ? { kind: 'command' as const, name: 'an agent' } : { name: model }
  const steps: readonly Step[] = turns.map((one, place) => [
    one.isClaim ? claimed(place + 1) : edited(place + 1, `tree-${place}`),
    one.verdicts === null ? [] : checked(one.isClaim ? 'claim' : 'change', ...one.verdicts),
    one.warning === null
      ? []
      : findingNoted({ rule: one.warning, level: 'warn', message: '', numbers: {}, basedOn: [] }),
    turnEnded(place + 1, one.feedback ? 'go on' : undefined),
  ])
  const first = begun({ verifiers: checks, workFolder, agent }, ...(baseline ?? []))
  return stamp([first, steps, stopped ?? []], { runId: `run-${String(index).padStart(3, '0')}`, startMs })
}

const isType =
  <Type extends RunEvent['type']>(type: Type) =>
  (event: RunEvent): event is Extract<RunEvent, { type: Type }> =>
    event.type === type

/** Reads the raw text of the record. */
function recount(runs: readonly (readonly RunEvent[])[]) {
  const all = runs.flat()
  const asked = runs.flatMap((events) =>
    events.flatMap((event, index) => {
      if (event.type !== 'verdict-given' || event.verdict.status === 'skipped') return []
      const started = events.slice(0, index).findLast(isType('verification-started'))
      return [{ ...event.verdict, isBaseline: started?.trigger === 'baseline' }]
    }),
  )
  const ends = runs.map((events) => events.find(isType('run-stopped'))?.transition)
  const claims = runs.map(claimsOf)
  const greens = runs.flatMap(roundsOf)
  const replies = all.filter(isType('model-replied'))
  return {
    runs: runs.length,
    ended: ends.filter((one) => one !== undefined).length,
    verified: ends.filter((one) => one?.outcome === 'verified').length,
    capped: ends.filter((one) => one?.cap === 'tokens').length,
    looped: ends.filter((one) => one?.detector === 'ping_pong').length,
    claims: claims.flat().length,
    falseClaims: claims.flat().filter((colour) => colour === 'red').length,
    firstTries: claims.filter(([first]) => first === 'red' || first === 'green').length,
    firstTryPasses: claims.filter(([first]) => first === 'green').length,
    rounds: greens.length === 0 ? null : greens.reduce((sum, one) => sum + one, 0) / greens.length,
    inputTokens: replies.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0),
    costUsd: replies.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    checkSeconds: asked.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000,
    checksCostUsd: asked.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
    catches: asked.filter(({ status, isBaseline }) => status === 'failed' && !isBaseline).length,
    flakes: asked.filter(({ qualifiers }) => qualifiers.includes('flaky')).length,
    asked: asked.length,
    toolCalls: all.filter(isType('tool-called')).length,
    warned: runs.filter((events) => events.some((event) => event.type === 'finding-noted')).length,
    userMessages: all.filter(
      (event) => event.type === 'goal-set' || (event.type === 'turn-ended' && event.feedback !== undefined),
    ).length,
  }
}

/** The latest verdict of each check before the end of every turn without tool calls. */
function claimsOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event, index) => {
    if (event.type !== 'turn-ended') return []
    const before = events.slice(0, index)
    const reply = before.findLast(isType('model-replied'))
    return reply?.toolCalls.length === 0 ? [colourAfter(before)] : []
  })
}

function roundsOf(events: readonly RunEvent[]): readonly number[] {
  const rounds = (before: readonly RunEvent[]) =>
    before.filter((event) => event.type === 'verification-started' && event.trigger !== 'baseline').length
  const green = events.findIndex((event, index) => {
    const before = events.slice(0, index)
    return event.type === 'turn-ended' && rounds(before) > 0 && colourAfter(before) === 'green'
  })
  return green === -1 ? [] : [rounds(events.slice(0, green))]
}

function colourAfter(before: readonly RunEvent[]): string {
  const latest = checks.map((name) => {
    const index = before.findLastIndex(
      (event) => event.type === 'verdict-given' && event.verdict.verifier === name,
    )
    const event = before[index]
    const started = before.slice(0, Math.max(0, index)).findLast(isType('verification-started'))
    return event?.type === 'verdict-given' && started?.trigger !== 'baseline' ? event.verdict.status : 'never'
  })
  if (latest.includes('failed')) return 'red'
  if (latest.includes('error') || latest.includes('never') || !latest.includes('passed')) return 'undecided'
  return 'green'
}

function told({ total }: Insights) {
  if (total === null) throw new TypeError('nothing is told')
  const countOf = (all: readonly { readonly name: string; readonly count: number }[], name: string) =>
    all.find((one) => one.name === name)?.count ?? 0
  return {
    runs: total.runs,
    ended: total.ended,
    verified: total.verified.part,
    capped: countOf(total.caps, 'tokens'),
    looped: countOf(total.detectors, 'ping_pong'),
    claims: total.falseDone.whole,
    falseClaims: total.falseDone.part,
    firstTries: total.firstTry.whole,
    firstTryPasses: total.firstTry.part,
    rounds: total.roundsToGreen.mean,
    inputTokens: total.tokens.input,
    costUsd: total.cost.usd,
    checkSeconds: total.checks.seconds,
    checksCostUsd: total.checks.costUsd,
    catches: total.checks.each.reduce((sum, { failures }) => sum + failures, 0),
    flakes: total.checks.flaky.part,
    asked: total.checks.flaky.whole,
    toolCalls: total.toolCalls,
    userMessages: total.messages.user,
  }
}

async function storeWith(runs: readonly (readonly RunEvent[])[]) {
  const store = memoryStore()
  for (const events of runs) await store.append(0, events, null)
  return store
}

const close = (record: Readonly<Record<string, number | null>>) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, value === null ? null : Number(value.toFixed(6))]),
  )

describe('given any runs on record', () => {
  property.prop([fc.array(anyRun, { minLength: 1, maxLength: 8 })])(
    'then every figure is that of a plain script over their events',
    async (made) => {
      const runs = made.map(eventsOf)
      const { rows } = await knownRuns(await storeWith(runs))
      const { warned, ...counted } = recount(runs)
      expect(close(told(insightsOf(rows)))).toEqual(close(counted))
      const everWarned = rows.filter(({ findings }) => findings.length > 0).length
      expect(everWarned).toBe(warned)
    },
  )

  property.prop([fc.array(anyRun, { minLength: 1, maxLength: 8 })])(
    'then each group is what its runs alone would tell',
    async (made) => {
      const { rows } = await knownRuns(await storeWith(made.map(eventsOf)))
      const { by } = insightsOf(rows)
      for (const { name, figures } of by.model) {
        const own = insightsOf(rows.filter(({ model }) => (model ?? '(not told)') === name))
        expect(JSON.stringify(own.total, rounded)).toEqual(JSON.stringify(figures, rounded))
      }
      for (const groups of Object.values(by))
        expect(groups.reduce((sum, { figures }) => sum + figures.runs, 0)).toBe(rows.length)
    },
  )

  property.prop([fc.array(anyRun, { minLength: 1, maxLength: 6 }), fc.nat(6)])(
    'then rows that were kept tell the same as a fold of all events',
    async (made, known) => {
      const runs = made.map(eventsOf)
      const store = await storeWith(runs.slice(0, known))
      await knownRuns(store)
      for (const events of runs.slice(known)) await store.append(0, events, null)
      const kept = await knownRuns(store)
      expect(kept.made).toBe(Math.max(0, runs.length - known))
      const again = await knownRuns(store)
      expect(again.made).toBe(0)
      const folded = await knownRuns(await storeWith(runs))
      expect(JSON.stringify(insightsOf(byId(again.rows)))).toBe(JSON.stringify(insightsOf(byId(folded.rows))))
    },
  )
})

function byId<Row extends { readonly runId: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => (one.runId < other.runId ? -1 : 1))
}

/** The last digits of a sum of fractions depend on their order. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(9)) : value
}
