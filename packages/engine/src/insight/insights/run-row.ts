/** From the record of a run to its row. The one place where a figure of a run is made. */
import { oneLine } from '@donecheck/core/base'
import type { FactOf, RunEvent, VerificationTrigger } from '@donecheck/core/events'
import { evolve, type RunState } from '@donecheck/core/state'
import type { DriveDescription } from '@donecheck/core/settings'
import { CheckBook } from './check-book.ts'
import { rowVersion, type Counted, type RunRow } from './row.ts'
import type { VerdictStatus } from '@donecheck/core/verdicts'

/** Names that one row tells apart; all further ones are `(other)`. */
const maxNames = 60
const maxTaskLength = 80

/** Undefined for no events. */
export function runRow(events: Iterable<RunEvent>): RunRow | undefined {
  const fold = rowFold()
  for (const event of events) fold.add(event)
  return fold.row()
}

/** The row of a run that goes on: whoever follows it need not read it anew. */
export interface RowFold {
  /** Event by event, in their order. */
  add(event: RunEvent): void
  /** Undefined before the first event. */
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
        count(findings, event.finding.rule)
      if (event.type === 'tool-called') count(tools, event.tool)
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
            failing: state.left.map(({ failingTests }) => failingTests),
          },
  }
}

function beginningOf(first: FactOf<'run-started'> & RunEvent, state: RunState) {
  return {
    runId: state.runId,
    task: oneLine(state.task, maxTaskLength),
    startedAtMs: first.timeMs,
    updatedAtMs: state.nowMs,
    ...whoOf(state.drive),
    project: state.workFolder,
    policy: state.settings.policy,
    labels: [...(first.labels ?? [])],
    isPart: first.parent !== undefined,
  }
}

function whoOf({ kind, name }: DriveDescription): Pick<RunRow, 'model' | 'agent'> {
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

/** What the drive was told, what it said, what its tools said. */
function countMessage(messages: RunRow['messages'], event: RunEvent): void {
  if (event.type === 'goal-set' || event.type === 'drive-steered') messages.user += 1
  if (event.type === 'turn-ended' && event.feedback !== undefined) messages.user += 1
  if (event.type === 'model-replied') messages.assistant += 1
  if (event.type === 'tool-returned' || event.type === 'tool-refused') messages.tool += 1
}

function count(counts: Map<string, number>, name: string): void {
  const line = oneLine(name, maxTaskLength)
  const known = counts.has(line) || counts.size < maxNames ? line : '(other)'
  counts.set(known, (counts.get(known) ?? 0) + 1)
}

function listOf(counts: ReadonlyMap<string, number>): Counted[] {
  return [...counts].map(([name, number]) => ({ name, count: number }))
}

type ClaimTotals = Pick<RunRow, 'claims' | 'falseClaims' | 'isFirstTry' | 'roundsToGreen'>

type Colour = 'green' | 'red' | 'undecided'

/** Event by event, in their order. */
function readClaims() {
  /** The latest word of each verifier on the work; what it said of the baseline tree is none. */
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

/** What is held out to the end belongs to the round before it. */
function isRound(trigger: VerificationTrigger): boolean {
  return trigger !== 'baseline' && trigger !== 'held-out'
}

/** Red as soon as one required verifier has failed; green when none is open, and every check was asked. */
function colourOf({ settings }: RunState, latest: ReadonlyMap<string, VerdictStatus>): Colour {
  const required = settings.verifiers.filter((verifier) => verifier.required)
  const statuses = required.flatMap(
    ({ name, role }) => latest.get(name) ?? (role === 'check' ? 'pending' : []),
  )
  if (statuses.includes('failed')) return 'red'
  const isOpen = statuses.includes('error') || statuses.includes('pending')
  return !isOpen && statuses.includes('passed') ? 'green' : 'undecided'
}
