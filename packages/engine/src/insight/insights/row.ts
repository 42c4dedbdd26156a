import { oneLine } from '@donecheck/core/internal/base'
import type { FactOf, RunEvent, VerificationTrigger } from '@donecheck/core/internal/events'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import { evolve, type RunState } from '@donecheck/core/internal/state'
import { outcomes, stopReasons } from '@donecheck/core/internal/events/transitions'
import type { Verdict, VerdictStatus } from '@donecheck/core/internal/events/verdicts'
import { z } from 'zod'

/** Rows of other versions are computed again. */
const rowVersion = 2

const text = z.string()
const count = z.number().int().nonnegative()
/** Clocks of old records may go backwards, so sums may be negative. */
const amount = z.number()

const checkTotals = z.object({
  name: text,
  /** Verdicts of checks that ran, including the baseline; not reused, skipped or pending ones. */
  runs: count,
  /** Failed ones among them, without the baseline. */
  failures: count,
  flakes: count,
  ms: amount,
  costUsd: amount,
})

const counted = z.object({ name: text, count })

export const runRowSchema = z.object({
  version: z.literal(rowVersion),
  runId: text,
  task: text,
  startedAtMs: amount,
  updatedAtMs: amount,
  /** Null for an agent that did not report its model. */
  model: text.nullable(),
  /** `donecheck` if our own loop called the model. */
  agent: text,
  project: text.nullable(),
  aggregate: text,
  tags: z.array(text),
  isPart: z.boolean(),
  /** Null while the run has not stopped. */
  reason: z.enum(stopReasons).nullable(),
  outcome: z.enum(outcomes).nullable(),
  cap: text.nullable(),
  detector: text.nullable(),
  turns: count,
  modelCalls: count,
  toolCalls: count,
  messages: z.object({ user: count, assistant: count, tool: count }),
  inputTokens: count,
  cachedInputTokens: count,
  outputTokens: count,
  reasoningTokens: count,
  /** Null if the price of any call is unknown. */
  costUsd: amount.nullable(),
  activeMs: amount,
  /** Cost of checks, and of models that judge or write them. */
  checksCostUsd: amount,
  /** Turns that the agent ended by claiming to be done. */
  claims: count,
  /** Those made while a required check had failed. */
  falseClaims: count,
  /** Whether all required checks passed at the first claim; null if there was none, or it was undecided. */
  isFirstTry: z.boolean().nullable(),
  /** Verifications after the baseline until all required checks passed; null if they never did. */
  roundsToGreen: count.nullable(),
  checks: z.array(checkTotals),
  findings: z.array(counted),
  tools: z.array(counted),
  /** Check changes that a user approved. */
  overrides: count,
  /** Findings about changed checks that a user waived. */
  waivers: count,
  /** Failures after each of the latest verifications: tests, and required checks that count no tests. */
  failing: z.array(count),
})

export type RunRow = z.infer<typeof runRowSchema>
type CheckTotals = z.infer<typeof checkTotals>
type Counted = z.infer<typeof counted>

/** Further names are counted as `(other)`. */
const maxNames = 60
const maxTaskLength = 80

export function runRow(events: Iterable<RunEvent>): RunRow | undefined {
  const fold = rowFold()
  for (const event of events) fold.add(event)
  return fold.row()
}

/** Folds events into a row, so that an active run need not be read again. */
export interface RowFold {
  add(event: RunEvent): void
  row(): RunRow | undefined
}

export function rowFold(): RowFold {
  const checks = new CheckBook()
  const claims = readClaims()
  const findings = new Map<string, number>()
  const tools = new Map<string, number>()
  const messages = { user: 0, assistant: 0, tool: 0 }
  let first: (FactOf<'run-started'> & RunEvent) | undefined
  let state: RunState | undefined
  return {
    add(event) {
      state = evolve(state, event)
      if (event.type === 'run-started') first = event
      if (event.type === 'finding-noted' && event.finding.level !== 'note')
        countName(findings, event.finding.rule)
      if (event.type === 'tool-called') countName(tools, event.tool)
      countMessage(messages, event)
      checks.add(event)
      claims.add(event, state)
    },
    row: () =>
      state === undefined || first === undefined
        ? undefined
        : {
            version: rowVersion,
            ...beginningOf(first, state),
            ...endOf(state),
            ...spentOf(state),
            messages: { ...messages },
            ...claims.totals(),
            ...checks.totals(),
            findings: listOf(findings),
            tools: listOf(tools),
            failing: state.activity.verifications.map(({ failingTests }) => failingTests),
          },
  }
}

function beginningOf(first: FactOf<'run-started'> & RunEvent, state: RunState) {
  return {
    runId: state.runId,
    task: oneLine(state.task, maxTaskLength),
    startedAtMs: first.timeMs,
    updatedAtMs: state.nowMs,
    ...whoOf(state.agent),
    project: state.workFolder,
    aggregate: state.settings.aggregate,
    tags: [...(first.tags ?? [])],
    isPart: first.parent !== undefined,
  }
}

function whoOf({ kind, name }: AgentDescription): Pick<RunRow, 'model' | 'agent'> {
  return kind === 'model' ? { model: name, agent: 'donecheck' } : { model: null, agent: name }
}

function endOf({ phase }: RunState): Pick<RunRow, 'reason' | 'outcome' | 'cap' | 'detector'> {
  if (phase.kind !== 'stopped') return { reason: null, outcome: null, cap: null, detector: null }
  const { reason, outcome, cap = null, detector = null } = phase.transition
  return { reason, outcome, cap, detector }
}

function spentOf({ consumption, checksCostUsd }: RunState) {
  const { iterations, modelCalls, toolCalls, costUsd, activeMs } = consumption
  const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = consumption
  return {
    ...{ turns: iterations, modelCalls, toolCalls, costUsd, activeMs, checksCostUsd },
    ...{ inputTokens, cachedInputTokens, outputTokens, reasoningTokens },
  }
}

function countMessage(messages: RunRow['messages'], event: RunEvent): void {
  if (event.type === 'goal-set' || event.type === 'agent-steered') messages.user += 1
  if (event.type === 'turn-ended' && event.feedback !== undefined) messages.user += 1
  if (event.type === 'model-replied') messages.assistant += 1
  if (event.type === 'tool-returned' || event.type === 'tool-refused') messages.tool += 1
}

function countName(counts: Map<string, number>, name: string): void {
  const line = oneLine(name, maxTaskLength)
  const known = counts.has(line) || counts.size < maxNames ? line : '(other)'
  counts.set(known, (counts.get(known) ?? 0) + 1)
}

function listOf(counts: ReadonlyMap<string, number>): Counted[] {
  return [...counts].map(([name, number]) => ({ name, count: number }))
}

type ClaimTotals = Pick<RunRow, 'claims' | 'falseClaims' | 'isFirstTry' | 'roundsToGreen'>

type Colour = 'green' | 'red' | 'undecided'

function readClaims() {
  /** Latest verdict of each check on the work; the baseline does not count. */
  const latest = new Map<string, VerdictStatus>()
  const totals = { claims: 0, falseClaims: 0, rounds: 0 }
  let firstClaim: Colour | undefined
  let roundsToGreen: number | null = null
  let trigger: VerificationTrigger | undefined
  let isClaimed = false

  function endTurn(state: RunState): void {
    const colour = colourOf(state, latest)
    if (isClaimed) {
      totals.claims += 1
      totals.falseClaims += colour === 'red' ? 1 : 0
      firstClaim ??= colour
    }
    isClaimed = false
    if (colour === 'green' && totals.rounds > 0) roundsToGreen ??= totals.rounds
  }

  return {
    add(event: RunEvent, state: RunState): void {
      if (event.type === 'model-replied') isClaimed = state.tally.claimed
      if (event.type === 'model-called') isClaimed = false
      if (event.type === 'verification-started') {
        trigger = event.trigger
        totals.rounds += isRound(trigger) ? 1 : 0
      }
      if (event.type === 'verdict-given' && trigger !== 'baseline')
        latest.set(event.verdict.verifier, event.verdict.status)
      if (event.type === 'turn-ended' || event.type === 'run-stopped') endTurn(state)
    },
    totals: (): ClaimTotals => ({
      claims: totals.claims,
      falseClaims: totals.falseClaims,
      isFirstTry: firstClaim === undefined || firstClaim === 'undecided' ? null : firstClaim === 'green',
      roundsToGreen,
    }),
  }
}

/** Checks that are held out to the end belong to the round before. */
function isRound(trigger: VerificationTrigger): boolean {
  return trigger !== 'baseline' && trigger !== 'held-out'
}

/** Red if a required check failed; green if one passed and none is open. */
function colourOf({ settings }: RunState, latest: ReadonlyMap<string, VerdictStatus>): Colour {
  const required = settings.verifiers.filter((verifier) => verifier.required)
  const statuses = required.flatMap(
    ({ name, role }) => latest.get(name) ?? (role === 'check' ? 'pending' : []),
  )
  if (statuses.includes('failed')) return 'red'
  const isOpen = statuses.includes('error') || statuses.includes('pending')
  return !isOpen && statuses.includes('passed') ? 'green' : 'undecided'
}

class CheckBook {
  readonly #checks = new Map<string, CheckTotals>()
  readonly #overrides = new Set<string>()
  readonly #waivers = new Set<string>()
  #isBaseline = false

  add(event: RunEvent): void {
    if (event.type === 'verification-started') this.#isBaseline = event.trigger === 'baseline'
    if (event.type === 'verdict-given') this.#book(event.verdict, this.#isBaseline)
    if (event.type === 'reply-judged') this.#book(event.verdict, false)
  }

  totals(): Pick<RunRow, 'checks' | 'overrides' | 'waivers'> {
    return {
      checks: [...this.#checks.values()],
      overrides: this.#overrides.size,
      waivers: this.#waivers.size,
    }
  }

  /** Counts each name once per run. */
  #bookNames({ evidence }: Verdict): void {
    for (const piece of evidence) {
      if (piece.kind === 'authority') this.#overrides.add(`${piece.by} ${piece.paths.join(' ')}`)
      if (piece.kind === 'finding' && piece.waiver !== undefined)
        this.#waivers.add(`${piece.waiver.by} ${piece.rule} ${piece.path ?? ''}`)
    }
  }

  #book(verdict: Verdict, isBaseline: boolean): void {
    const { verifier: name, status, qualifiers, durationMs, costUsd = 0 } = verdict
    this.#bookNames(verdict)
    if (status === 'skipped' || status === 'pending' || qualifiers.includes('cached')) return
    const before = this.#checks.get(name) ?? { name, runs: 0, failures: 0, flakes: 0, ms: 0, costUsd: 0 }
    this.#checks.set(name, {
      name,
      runs: before.runs + 1,
      failures: before.failures + (status === 'failed' && !isBaseline ? 1 : 0),
      flakes: before.flakes + (qualifiers.includes('flaky') ? 1 : 0),
      ms: before.ms + durationMs,
      costUsd: before.costUsd + costUsd,
    })
  }
}
