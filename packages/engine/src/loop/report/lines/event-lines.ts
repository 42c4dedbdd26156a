/** What a person reads of one event while a run goes on. */
import { isGoalFact } from '@donecheck/core/events'
import { isReplyCheckFact } from '@donecheck/core/events'
import type { ContinueTransition, Outcome, Transition } from '@donecheck/core/transitions'
import type { JsonValue, RunEvent, FactOf } from '@donecheck/core/events'
import type { RunSettings } from '@donecheck/core/settings'
import type { RunState } from '@donecheck/core/state'
import type { Verdict } from '@donecheck/core/verdicts'
import { evidenceOfEnd } from '@donecheck/core/decide'
import {
  budgetAddedLine,
  capsLine,
  hasTokenCap,
  subRunEndedLine,
  subRunStartedLine,
  tokensInTurns,
} from './budget-lines.ts'
import { goalLines } from './goal-lines.ts'
import { finalLine } from './final-line.ts'
import type { Line, Tone } from './line.ts'
import { summaryLines, finalSummaryLines } from './summary-lines.ts'
import { gateLines, hookLines, sandboxLines } from './gate-lines.ts'
import { planLine } from './plan-line.ts'
import { replyLines } from './reply-lines.ts'
import { sealedLines } from './sealed-lines.ts'
import { secretNote } from './secret-note.ts'
import { firstLines, oneLine, thousands } from '@donecheck/core/base'
import { findingLines, outputHint } from './verdict-lines.ts'

/** @param state after the event */
export function eventLines(event: RunEvent, state: RunState): readonly Line[] {
  return [...linesOf(event, state), ...secretNote(event)]
}

function linesOf(event: RunEvent, state: RunState): readonly Line[] {
  if (isReplyCheckFact(event)) return replyLines(event)
  if (isGoalFact(event)) return goalLines(event)
  if (event.type === 'memory-recalled') return recalledLines(event)
  switch (event.type) {
    case 'run-started':
      return runStarted(event, state.runId)
    case 'run-resumed':
      return [line('strong', `resumed run ${state.runId} at turn ${state.turn}`)]
    case 'interrupt-requested':
      return [line('warning', `interrupted by ${event.by}`)]
    case 'run-stopped':
      return runStopped(event.transition.outcome, state)
    case 'model-called':
      return modelCalled(event.attempt, state)
    case 'model-replied':
      return event.problem === undefined ? [] : [line('warning', firstLines(event.problem, 8, '  ! '))]
    case 'model-failed':
      return [line('warning', `  ! ${oneLine(event.failure.message, 300)}`)]
    case 'gate-decided':
      return gateLines(event)
    case 'hook-ran':
      return hookLines(event)
    case 'approval-requested':
      return [line('plain', `  asks: ${oneLine(event.question, 200)}`)]
    case 'approval-given':
      return [line('quiet', `  ${event.approved ? 'approved' : 'denied'} by ${oneLine(event.by, 40)}`)]
    case 'tool-called':
      return [line('plain', `  ${event.tool} ${argumentsOf(state, event.callId)}`.trimEnd())]
    case 'tool-returned':
      return [returnedLine(event)]
    case 'tool-refused':
      return [line('warning', refusedLine(event))]
    case 'workspace-observed':
    case 'verification-started':
    case 'claim-examined':
      return []
    case 'verdict-given':
      return verdictGiven(event.verdict, state)
    case 'finding-noted':
      return [line('warning', `  ! ${nameOfRule(event.finding.rule)}${oneLine(event.finding.message, 300)}`)]
    case 'turn-ended':
      return turnEnded(event.transition, state)
    case 'final-summary-called':
    case 'final-summary-replied':
      return finalSummaryLines(event)
    case 'agent-session-opened':
      return [line('quiet', `  session ${oneLine(event.sessionId, 100)}`)]
    case 'agent-plan-reported':
      return [line('quiet', planLine(event))]
    case 'sub-run-started':
      return [line('plain', subRunStartedLine(event))]
    case 'sub-run-ended':
      return [line(event.outcome === 'verified' ? 'good' : 'warning', subRunEndedLine(event))]
    case 'budget-added':
      return [line('strong', budgetAddedLine(event))]
    case 'checks-sealed':
      return sealedLines(event)
  }
}

function runStopped(outcome: Outcome, state: RunState): readonly Line[] {
  const evidence = evidenceOfEnd(state)
  return [
    ...(evidence === undefined ? [] : [line('plain', `  evidence: ${evidence.text}`)]),
    line(outcome === 'verified' ? 'good' : 'bad', finalLine(state)),
    ...summaryLines(state),
  ]
}

function turnEnded(transition: Transition, state: RunState): readonly Line[] {
  if (transition.kind === 'stop') return []
  return [line('quiet', `  goes on: ${transition.reason}${budgetUsed(transition, state)}`)]
}

/** A further step of the same turn has no title of its own. */
function modelCalled(attempt: number, state: RunState): readonly Line[] {
  if (attempt > 1) return [line('quiet', `  try ${attempt}`)]
  return state.tally.replies > 0 ? [] : [line('strong', turnTitle(state))]
}

/** Such as ` (34 % of its 10,000 output tokens)`; empty where the drive was not sent on for its budget. */
function budgetUsed({ reason }: ContinueTransition, { settings, tokenBudget }: RunState): string {
  const budgetTokens = settings.soft?.tokenBudget?.budgetTokens
  if (reason !== 'nudge_budget_left' || budgetTokens === undefined) return ''
  const percent = Math.round((tokenBudget.tracker.lastTurnTokens / budgetTokens) * 100)
  return ` (${percent} % of its ${thousands(budgetTokens)} output tokens)`
}

function line(tone: Tone, text: string): Line {
  return { tone, text }
}

function runStarted(event: FactOf<'run-started'>, runId: string): readonly Line[] {
  const { drive, settings, workFolder } = event
  const verifiers = settings.verifiers
    .filter(({ role }) => role !== 'guard')
    .map(({ name }) => oneLine(name, 80))
  const partOf = event.parent === undefined ? '' : ` · part of run ${event.parent.runId}`
  const guard = settings.verifiers.length > verifiers.length ? ' · guarded' : ''
  const unknown =
    drive.reportsUsage || !hasTokenCap(settings.caps)
      ? []
      : ['this drive does not report its tokens: the token cap cannot hold it']
  const inTurns = tokensInTurns(settings.caps, drive)
  const priceless =
    drive.kind === 'model' && drive.prices === null
      ? [`the price of ${oneLine(drive.name, 100)} is unknown: the cost is not counted`]
      : []
  const unchecked =
    verifiers.length > 0 || settings.replyCheck !== null
      ? []
      : ['no check is given: the run can end only as unverified']
  return [
    line('strong', `donecheck ${event.donecheckVersion} · run ${runId}${partOf}`),
    line(
      'quiet',
      `drive: ${oneLine(drive.name, 100)}${workFolder === null ? '' : ` · folder: ${workFolder}`}`,
    ),
    line(
      'quiet',
      `until: ${verifiers.length > 0 ? verifiers.join(' · ') : '(nothing)'} · caps: ${capsLine(settings.caps)}${guard}`,
    ),
    ...(inTurns === undefined ? [] : [line('quiet', inTurns)]),
    ...sandboxLines(event.sandbox),
    ...[...unknown, ...priceless, ...unchecked, ...switchedOff(settings)].map((text) =>
      line('warning', `! ${text}`),
    ),
  ]
}

/** So that a reader knows what to switch off; caps name themselves. */
function nameOfRule(rule: string): string {
  const [kind, name] = rule.split(':')
  return kind === 'loop' || kind === 'shadow' ? `${name ?? kind}: ` : ''
}

/** What the drive is told at length is short for a person. */
function returnedLine({ status, output }: Extract<RunEvent, { type: 'tool-returned' }>): Line {
  return line(status === 'ok' ? 'quiet' : 'warning', `    ${status}: ${oneLine(output, 120)}`)
}

function refusedLine({ by, reason, label }: Extract<RunEvent, { type: 'tool-refused' }>): string {
  const why = label === undefined ? '' : ` (${label})`
  if (by !== 'detector') return `  a call was refused by ${by}${why}: ${oneLine(reason, 300)}`
  return `  a call was refused: it goes on with a loop ${/\(\w+\)$/.exec(reason)?.[0] ?? ''}`.trimEnd()
}

/** What is off, or only records, is said at the start. */
function switchedOff({ soft, finalSummary, verifyAtCap }: RunSettings): readonly string[] {
  if (soft === null) return []
  const modes = {
    'loop detection': soft.loopDetection.mode,
    stagnation: soft.stagnation.mode,
    ...(soft.tokenBudget === null ? {} : { 'token budget': soft.tokenBudget.mode }),
    contradictions: soft.contradictions ?? 'on',
  }
  const rules = Object.entries({ ...modes, ...soft.loopDetection.detectors })
  const off = [
    ...rules.filter(([, mode]) => mode === 'off').map(([name]) => name),
    ...(finalSummary ? [] : ['summary of a run that ends early']),
    ...(verifyAtCap ? [] : ['last check at a cap']),
  ]
  const shadow = rules.filter(([, mode]) => mode === 'shadow').map(([name]) => name)
  return [
    ...(off.length > 0 ? [`switched off: ${off.join(', ')}`] : []),
    ...(shadow.length > 0 ? [`only recorded: ${shadow.join(', ')}`] : []),
  ]
}

function turnTitle(state: RunState): string {
  const { maxIterations } = state.settings.caps
  return `turn ${state.turn}${maxIterations === null ? '' : ` of at most ${maxIterations}`}`
}

function argumentsOf(state: RunState, callId: string): string {
  const { phase } = state
  const call =
    phase.kind === 'acting' ? phase.pending.find((entry) => entry.call.callId === callId)?.call : undefined
  return call === undefined ? '' : oneLine(shortArguments(call.args), 120)
}

function shortArguments(args: JsonValue): string {
  if (typeof args !== 'object' || args === null) return JSON.stringify(args)
  return Object.entries(args)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
}

function verdictGiven(verdict: Verdict, state: RunState): readonly Line[] {
  const isBaseline = state.turn === 0
  const role = state.settings.verifiers.find(({ name }) => name === verdict.verifier)?.role
  const isGuard = role === 'guard'
  const findings = findingLines(verdict.evidence.filter((piece) => piece.kind === 'finding'))
  // A guard that has nothing to say says nothing.
  if (isGuard && verdict.status === 'passed' && findings.length === 0) return []
  const tone = verdict.status === 'passed' ? 'good' : verdict.status === 'failed' ? 'bad' : 'warning'
  const mark = verdict.status === 'passed' ? '✓' : verdict.status === 'failed' ? '✗' : '?'
  const lines = [
    line(tone, `  ${mark} ${isBaseline ? 'before the first turn: ' : ''}${oneLine(verdict.reason, 300)}`),
    ...(role === 'held-out' ? [] : outputHint(verdict)),
    ...findings,
  ]
  if (!isBaseline || verdict.status !== 'passed' || isGuard) return lines
  return [...lines, line('quiet', '    green already: its staying green alone will end nothing')]
}

function recalledLines({ facts }: FactOf<'memory-recalled'>): readonly Line[] {
  return facts.map(({ id, text }) => line('quiet', `  from memory [${id}]: ${oneLine(text, 300)}`))
}
