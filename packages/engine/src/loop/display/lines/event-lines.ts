import { isGoalFact, type RunEvent } from '@donecheck/core/internal/events'
import type { ContinueTransition, Outcome, Transition } from '@donecheck/core/internal/events/transitions'
import type { RunState } from '@donecheck/core/internal/state'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { argumentWords, eventWords, markOf, toneOf } from '@donecheck/core/internal/state/words'
import { waitText } from './budget-lines.ts'
import {
  finalLine,
  finalSummaryLines,
  isVerification,
  resumeLines,
  startLines,
  summaryLines,
} from './final-line.ts'
import { gateLines, hookLines } from './line.ts'
import { firstLines, oneLine, thousands, line, type Line } from '@donecheck/core/internal/base'
import { findingLines, outputHint, verdictLines } from './verdict-lines.ts'

/** Prefix by event type. Default: two spaces. */
const prefixes: Readonly<Partial<Record<RunEvent['type'], string>>> = {
  'interrupt-requested': '',
  'budget-added': '',
  'goal-set': '',
  'goal-changed': '',
  'goal-change-refused': '',
  'goal-wait-ended': '',
  'model-failed': '  ! ',
  'finding-noted': '  ! ',
  'tool-returned': '    ',
  'sub-run-started': '    ',
  'sub-run-ended': '    ',
}

export function eventLines(event: RunEvent, state: RunState): readonly Line[] {
  if (isGoalFact(event) && isVerification(state)) return []
  switch (event.type) {
    case 'run-started':
      return startLines(event, state)
    case 'run-resumed':
      return resumeLines(state)
    case 'run-stopped':
      return runStopped(event.transition.outcome, state)
    case 'wait-started':
      return [line('warning', `  ${waitText(event)}`)]
    case 'model-called':
      return modelCalled(event.attempt, state)
    case 'model-replied':
      return event.problem === undefined ? [] : [line('warning', firstLines(event.problem, 8, '  ! '))]
    case 'gate-decided':
      return gateLines(event)
    case 'hook-ran':
      return hookLines(event)
    case 'tool-called':
      return [line('plain', `  ${event.tool} ${argumentsOf(state, event.callId)}`.trimEnd())]
    case 'wait-ended':
    case 'workspace-observed':
    case 'verification-started':
      return []
    case 'verdict-given':
      return verdictGiven(event.verdict, state)
    case 'turn-ended':
      return turnEnded(event.transition, state)
    case 'agent-steered':
      return [line('quiet', firstLines(event.text, 4, '  > '))]
    case 'final-summary-called':
    case 'final-summary-replied':
      return finalSummaryLines(event)
    case 'reply-settled':
      return event.ending === 'passed' ? [] : [plainLine(event)]
    default:
      return eventWords(event).text === '' ? [] : [plainLine(event)]
  }
}

function plainLine(event: RunEvent): Line {
  const { tone, text } = eventWords(event)
  return line(tone, `${prefixes[event.type] ?? '  '}${text}`)
}

function runStopped(outcome: Outcome, state: RunState): readonly Line[] {
  return [line(outcome === 'verified' ? 'good' : 'bad', finalLine(state)), ...summaryLines(state)]
}

function turnEnded(transition: Transition, state: RunState): readonly Line[] {
  const words = transition.kind === 'stop' ? undefined : whyItGoesOn(transition, state)
  return words === undefined ? [] : [line('quiet', `  goes on: ${words}`)]
}

function whyItGoesOn(transition: ContinueTransition, state: RunState): string | undefined {
  switch (transition.reason) {
    case 'tool_calls':
      return undefined
    case 'verifier_feedback':
      return feedbackWords(transition)
    case 'reply_feedback':
      return 'the agent is told what is wrong with its reply'
    case 'nudge_budget_left':
      return `the agent is told that it has budget left${budgetUsed(state)}`
    case 'max_output_recovery':
      return 'the reply was cut off at its length'
    case 'approval_given':
      return 'a person allowed what it was waiting for'
    case 'goal_changed':
      return 'the agent is told how the goal was changed'
    case 'steering':
      return 'the agent is told what its user wrote'
  }
}

function feedbackWords({ verdicts }: ContinueTransition): string {
  if (verdicts.some(({ status }) => status === 'failed')) return 'the agent is told what still fails'
  if (verdicts.some(({ status }) => status !== 'passed')) return 'the agent is told what could not be checked'
  return verdicts.length === 0
    ? 'nothing was checked, and the agent is asked to finish'
    : 'what passed had passed before and proves nothing, which the agent is told'
}

function modelCalled(attempt: number, state: RunState): readonly Line[] {
  if (attempt > 1) return [line('quiet', `  try ${attempt}`)]
  return state.tally.replies > 0 ? [] : [line('strong', turnTitle(state))]
}

function budgetUsed({ settings, tokenBudget }: RunState): string {
  const budgetTokens = settings.soft?.tokenBudget?.budgetTokens
  if (budgetTokens === undefined) return ''
  const percent = Math.round((tokenBudget.tracker.lastTurnTokens / budgetTokens) * 100)
  return ` (${percent} % of its ${thousands(budgetTokens)} output tokens)`
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

function verdictGiven(verdict: Verdict, state: RunState): readonly Line[] {
  const isBaseline = state.turn === 0
  if (isVerification(state)) return verdictLines(verdict, isOfBaseline(state) ? 'baseline: ' : '')
  const role = state.settings.verifiers.find(({ name }) => name === verdict.verifier)?.role
  const isGuard = role === 'guard'
  const findings = findingLines(verdict.evidence.filter((piece) => piece.kind === 'finding'))
  if (isGuard && verdict.status === 'passed' && findings.length === 0) return []
  const when = isBaseline ? 'before the first turn: ' : ''
  const lines = [
    line(toneOf(verdict.status), `  ${markOf(verdict)} ${when}${oneLine(verdict.reason, 300)}`),
    ...(role === 'held-out' ? [] : outputHint(verdict)),
    ...findings,
  ]
  if (!isBaseline || verdict.status !== 'passed' || isGuard) return lines
  return [...lines, line('quiet', '    green already: its staying green alone will end nothing')]
}

function isOfBaseline({ phase }: RunState): boolean {
  return (phase.kind === 'verifying' && phase.trigger === 'baseline') || phase.kind === 'starting'
}
