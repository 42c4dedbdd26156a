import {
  isGoalFact,
  isReplyCheckFact,
  type JsonValue,
  type RunEvent,
  type FactOf,
} from '@donecheck/core/events'
import type { ContinueTransition, Outcome, Transition } from '@donecheck/core/transitions'
import type { RunState } from '@donecheck/core/state'
import type { Verdict } from '@donecheck/core/verdicts'
import { budgetAddedLine, subRunEndedLine, subRunStartedLine, waitText } from './budget-lines.ts'
import { goalLines, summaryLines, finalSummaryLines } from './goal-lines.ts'
import { finalLine, isVerification, resumeLines, startLines } from './final-line.ts'
import { line, toneOf, type Line, gateLines, hookLines, planLine, replyLines } from './line.ts'
import { firstLines, oneLine, plural, thousands } from '@donecheck/core/base'
import { findingLines, outputHint, verdictLines } from './verdict-lines.ts'

/** @param state after the event */
export function eventLines(event: RunEvent, state: RunState): readonly Line[] {
  if (isReplyCheckFact(event)) return replyLines(event)
  if (isGoalFact(event)) return isVerification(state) ? [] : goalLines(event)
  if (event.type === 'memory-recalled') return recalledLines(event)
  if (event.type === 'wait-started') return [line('warning', `  ${waitText(event)}`)]
  switch (event.type) {
    case 'run-started':
      return startLines(event, state)
    case 'run-resumed':
      return resumeLines(state)
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
    case 'approval-given':
      return [approvalLine(event)]
    case 'tool-called':
      return [line('plain', `  ${event.tool} ${argumentsOf(state, event.callId)}`.trimEnd())]
    case 'tool-returned':
      return [returnedLine(event)]
    case 'tool-refused':
      return [line('warning', refusedLine(event))]
    case 'wait-ended':
    case 'workspace-observed':
    case 'verification-started':
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
    case 'sub-run-ended':
      return [subRunLine(event)]
    case 'budget-added':
      return [line('strong', budgetAddedLine(event))]
  }
}

function subRunLine(event: FactOf<'sub-run-started' | 'sub-run-ended'>): Line {
  if (event.type === 'sub-run-started') return line('plain', subRunStartedLine(event))
  return line(event.outcome === 'verified' ? 'good' : 'warning', subRunEndedLine(event))
}

function approvalLine(event: FactOf<'approval-requested' | 'approval-given'>): Line {
  if (event.type === 'approval-requested') return line('plain', `  asks: ${oneLine(event.question, 200)}`)
  return line('quiet', `  ${event.approved ? 'approved' : 'denied'} by ${oneLine(event.by, 40)}`)
}

function runStopped(outcome: Outcome, state: RunState): readonly Line[] {
  return [line(outcome === 'verified' ? 'good' : 'bad', finalLine(state)), ...summaryLines(state)]
}

function turnEnded(transition: Transition, state: RunState): readonly Line[] {
  const words = transition.kind === 'stop' ? undefined : whyItGoesOn(transition, state)
  return words === undefined ? [] : [line('quiet', `  goes on: ${words}`)]
}

/** Undefined: its tools say it. */
function whyItGoesOn(transition: ContinueTransition, state: RunState): string | undefined {
  switch (transition.reason) {
    case 'tool_calls':
      return undefined
    case 'verifier_feedback':
      return feedbackWords(transition)
    case 'reply_feedback':
      return 'the drive is told what is wrong with its reply'
    case 'nudge_budget_left':
      return `the drive is told that it has budget left${budgetUsed(state)}`
    case 'max_output_recovery':
      return 'the reply was cut off at its length'
    case 'approval_given':
      return 'a person allowed what it was waiting for'
    case 'goal_changed':
      return 'the drive is told how the goal was changed'
    case 'steering':
      return 'the drive is told what its user wrote'
  }
}

/** Of a turn that ended without proof. Its checks may not have run again, such as after an agent that crashed. */
function feedbackWords({ verdicts }: ContinueTransition): string {
  if (verdicts.some(({ status }) => status === 'failed')) return 'the drive is told what still fails'
  if (verdicts.some(({ status }) => status !== 'passed')) return 'the drive is told what could not be checked'
  return verdicts.length === 0
    ? 'nothing was checked, and the drive is asked to finish'
    : 'what passed had passed before and proves nothing, which the drive is told'
}

function modelCalled(attempt: number, state: RunState): readonly Line[] {
  if (attempt > 1) return [line('quiet', `  try ${attempt}`)]
  return state.tally.replies > 0 ? [] : [line('strong', turnTitle(state))]
}

/** Such as ` (34 % of its 10,000 output tokens)`; empty where it has none. */
function budgetUsed({ settings, tokenBudget }: RunState): string {
  const budgetTokens = settings.soft?.tokenBudget?.budgetTokens
  if (budgetTokens === undefined) return ''
  const percent = Math.round((tokenBudget.tracker.lastTurnTokens / budgetTokens) * 100)
  return ` (${percent} % of its ${thousands(budgetTokens)} output tokens)`
}

function nameOfRule(rule: string): string {
  const [kind, name] = rule.split(':')
  return kind === 'loop' || kind === 'shadow' ? `${name ?? kind}: ` : ''
}

function returnedLine({ status, output }: Extract<RunEvent, { type: 'tool-returned' }>): Line {
  // Some agents, such as Gemini CLI, do not tell what their tools gave.
  const text = output.trim() === '' ? status : `${status}: ${oneLine(output, 120)}`
  return line(status === 'ok' ? 'quiet' : 'warning', `    ${text}`)
}

function refusedLine({ by, reason, label }: Extract<RunEvent, { type: 'tool-refused' }>): string {
  const why = label === undefined ? '' : ` (${label})`
  if (by !== 'detector') return `  a call was refused by ${by}${why}: ${oneLine(reason, 300)}`
  return `  a call was refused: it goes on with a loop ${/\(\w+\)$/.exec(reason)?.[0] ?? ''}`.trimEnd()
}

function turnTitle(state: RunState): string {
  const { maxIterations } = state.settings.caps
  return `turn ${state.turn}${maxIterations === null ? '' : ` of at most ${maxIterations}`}`
}

function argumentsOf(state: RunState, callId: string): string {
  const { phase } = state
  const call =
    phase.kind === 'acting' ? phase.pending.find((entry) => entry.call.callId === callId)?.call : undefined
  return call === undefined ? '' : oneLine(argumentWords(call.args), 120)
}

/** The first value alone where it is a text, which says it all: the command of a shell, the path of a file. */
export function argumentWords(args: JsonValue): string {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return JSON.stringify(args)
  return Object.entries(args)
    .map(([key, value], index) =>
      typeof value !== 'string' ? `${key}=${JSON.stringify(value)}` : index === 0 ? value : `${key}=${value}`,
    )
    .join(' ')
}

function verdictGiven(verdict: Verdict, state: RunState): readonly Line[] {
  const isBaseline = state.turn === 0
  if (isVerification(state)) return verdictLines(verdict, isOfBaseline(state) ? 'baseline: ' : '')
  const role = state.settings.verifiers.find(({ name }) => name === verdict.verifier)?.role
  const isGuard = role === 'guard'
  const findings = findingLines(verdict.evidence.filter((piece) => piece.kind === 'finding'))
  if (isGuard && verdict.status === 'passed' && findings.length === 0) return []
  const mark = verdict.status === 'passed' ? '✓' : verdict.status === 'failed' ? '✗' : '?'
  const when = isBaseline ? 'before the first turn: ' : ''
  const lines = [
    line(toneOf(verdict.status), `  ${mark} ${when}${oneLine(verdict.reason, 300)}`),
    ...(role === 'held-out' ? [] : outputHint(verdict)),
    ...findings,
  ]
  if (!isBaseline || verdict.status !== 'passed' || isGuard) return lines
  return [...lines, line('quiet', '    green already: its staying green alone will end nothing')]
}

function isOfBaseline({ phase }: RunState): boolean {
  return (phase.kind === 'verifying' && phase.trigger === 'baseline') || phase.kind === 'starting'
}

function recalledLines({ facts }: FactOf<'memory-recalled'>): readonly Line[] {
  if (facts.length === 0) return []
  const shown = `donecheck memory show ${facts.map(({ id }) => id).join(' ')}`
  return [line('quiet', `  from memory: ${plural(facts.length, 'lesson')} of earlier runs (${shown})`)]
}
