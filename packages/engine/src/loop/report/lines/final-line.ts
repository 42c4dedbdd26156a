import { capWords } from '@donecheck/core/budgets'
import { heldOutGapOf, isOpen, type HeldOutGap } from '@donecheck/core/policies'
import { totalTokens, type RunState } from '@donecheck/core/state'
import type { StopTransition } from '@donecheck/core/transitions'
import type { Verdict } from '@donecheck/core/verdicts'
import { isVerification } from './header-lines.ts'
import { oneLine, plural, seconds } from '@donecheck/core/base'

/** How a run ended, in one line such as `→ verified after 3 turns: npm test passed (exit 0) · 14.2 s · 5,210 tokens`. */
export function finalLine(state: RunState): string {
  if (state.phase.kind !== 'stopped') return `→ not ended: ${plural(state.turn, 'turn')} so far`
  const { transition } = state.phase
  const isRun = !isVerification(state)
  const after = isRun ? ` after ${plural(state.consumption.iterations, 'turn')}` : ''
  const because = isRun ? why(state, transition) : whichChecks(state, transition)
  return [
    `→ ${transition.outcome}${after}${because === '' ? '' : `: ${because}`}`,
    ...newTestsWords(state, transition),
    ...heldOutWords(heldOutGapOf(state)),
    ...(isRun ? spendingParts(state) : [seconds(state.consumption.activeMs), ...judgesPart(state)]),
  ].join(' · ')
}

/** What limits a success that no earlier test holds. */
function newTestsWords({ settings, checks }: RunState, { outcome }: StopTransition): readonly string[] {
  if (outcome !== 'verified') return []
  const names = settings.verifiers
    .map(({ name }) => name)
    .filter((name) => checks[name]?.latest?.qualifiers.includes('only-new-tests'))
  return names.length === 0
    ? []
    : [`only new tests hold ${names.map((name) => oneLine(name, 80)).join(', ')}`]
}

/** Every verdict of a verification stands above its end: their names are enough. */
function whichChecks(state: RunState, { reason, message }: StopTransition): string {
  const open = openVerdicts(state).map(({ verifier }) => oneLine(verifier, 80))
  if (open.length > 0) return open.join(', ')
  return reason === 'task_complete' ? '' : oneLine(message, 300)
}

function why(state: RunState, transition: StopTransition): string {
  if (transition.reason === 'task_complete') {
    const atCap =
      transition.atCap === undefined ? '' : ` (at the last check: no ${capWords(transition.atCap)} left)`
    return `${oneLine(transition.message, 300)}${atCap}`
  }
  const switchedOff = transition.lastCheck === 'switched-off' ? ['last check switched off'] : []
  return [...reasonWords(state, transition), ...switchedOff, ...openChecks(state, transition)].join('; ')
}

/** A key that was pressed speaks for itself; other reasons bring their sentence, as a goal that is held does. */
function reasonWords({ goal }: RunState, transition: StopTransition): readonly string[] {
  const { reason, outcome, detector } = transition
  const sentence = oneLine(transition.message, 300)
  if (reason === 'user_interrupt') return goal.isCleared || goal.status === 'paused' ? [sentence] : []
  // An outcome that has but one reason has said it.
  const label = reason === outcome ? [] : [[reason, detector].filter(Boolean).join(' ')]
  return [[...label, sentence].join(': ')]
}

/** Every one that is open, but not what the sentence of the end has said. */
function openChecks(state: RunState, { message }: StopTransition): readonly string[] {
  const named = openVerdicts(state).filter(({ reason }) => !message.includes(reason))
  return named.every(({ status }) => status === 'skipped') ? [] : named.map(open)
}

function openVerdicts({ settings, checks }: RunState): readonly Verdict[] {
  return settings.verifiers.flatMap(({ name }) => checks[name]?.latest ?? []).filter(isOpen)
}

function open(verdict: Verdict): string {
  const command = verdict.evidence.find((evidence) => evidence.kind === 'command')
  const exit =
    command?.exitCode === undefined || command.exitCode === null ? '' : ` (exit ${command.exitCode})`
  const name = oneLine(verdict.verifier, 80)
  return verdict.status === 'failed' ? `${name} still fails${exit}` : oneLine(verdict.reason, 200)
}

function spendingParts(state: RunState): readonly string[] {
  const { consumption, drive } = state
  const tokens = totalTokens(consumption)
  const about = consumption.tokensEstimated ? 'about ' : ''
  return [
    seconds(consumption.activeMs),
    drive.reportsUsage ? `${about}${plural(tokens, 'token')}` : 'tokens unknown',
    ...(consumption.costUsd === null || consumption.costUsd === 0
      ? []
      : [`$${consumption.costUsd.toFixed(4)}`]),
    ...judgesPart(state),
  ]
}

function judgesPart({ checksCostUsd }: RunState): readonly string[] {
  return checksCostUsd === 0 ? [] : [`judges $${checksCostUsd.toFixed(4)}`]
}

/** Such as `held-out 1 of 3, shown 5 of 5`; nothing, where nothing was held out. */
export function heldOutWords(gap: HeldOutGap | null): readonly string[] {
  if (gap === null) return []
  const { shown, heldOut } = gap
  return [`held-out ${heldOut.passed} of ${heldOut.total}, shown ${shown.passed} of ${shown.total}`]
}
