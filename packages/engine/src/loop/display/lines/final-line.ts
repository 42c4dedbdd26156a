import { capWords } from '@donecheck/core/internal/budgets'
import { heldOutGapOf, isOpen, type HeldOutGap } from '@donecheck/core/internal/decide/aggregate'
import { totalTokens, type RunState } from '@donecheck/core/internal/state'
import type { StopTransition, SummarySource } from '@donecheck/core/internal/events/transitions'
import type { Verdict, VerdictQualifier } from '@donecheck/core/internal/events/verdicts'
import { oneLine, plural, seconds, firstLines, line, type Line } from '@donecheck/core/internal/base'
import { howToGoOn } from '@donecheck/core/internal/decide'
import type { FactOf } from '@donecheck/core/internal/events'
import { checksOnly, type RunSettings } from '@donecheck/core/internal/events/settings'
import { capsWords } from '@donecheck/core/internal/state/words'
import { hasTokenCap, tokensInTurns } from './budget-lines.ts'
import { sandboxLines } from './line.ts'

/** Formats how a run ended: `→ verified after 3 turns: npm test passed (exit 0) · 14.2 s · 5,210 tokens`. */
export function finalLine(state: RunState): string {
  if (state.phase.kind !== 'stopped') return `→ not ended: ${plural(state.turn, 'turn')} so far`
  const { transition } = state.phase
  const isRun = !isVerification(state)
  const after = isRun ? ` after ${plural(state.consumption.iterations, 'turn')}` : ''
  const because = isRun ? why(state, transition) : whichChecks(state, transition)
  return [
    `→ ${transition.outcome}${after}${because === '' ? '' : `: ${because}`}`,
    ...limitWords(state, transition, 'only-new-tests', 'only new tests hold'),
    ...limitWords(state, transition, 'in-place', 'in the work folder itself, not in a clean room:'),
    ...limitWords(state, transition, 'no-canary', 'no planted test was seen by'),
    ...heldOutWords(heldOutGapOf(state)),
    ...(isRun ? spendingParts(state) : [seconds(state.consumption.activeMs), ...judgesPart(state)]),
  ].join(' · ')
}

/** Names the checks with this limit, after its meaning. */
function limitWords(
  { settings, checks }: RunState,
  { outcome }: StopTransition,
  qualifier: VerdictQualifier,
  meaning: string,
): readonly string[] {
  if (outcome !== 'verified') return []
  const names = settings.verifiers
    .map(({ name }) => name)
    .filter((name) => checks[name]?.latest?.qualifiers.includes(qualifier))
  return names.length === 0 ? [] : [`${meaning} ${names.map((name) => oneLine(name, 80)).join(', ')}`]
}

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

function reasonWords({ goal }: RunState, transition: StopTransition): readonly string[] {
  const { reason, outcome, detector } = transition
  const sentence = oneLine(transition.message, 300)
  if (reason === 'user_interrupt') return goal.isCleared || goal.status === 'paused' ? [sentence] : []
  const label = reason === outcome ? [] : [[reason, detector].filter(Boolean).join(' ')]
  return [[...label, sentence].join(': ')]
}

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
  const { consumption, agent } = state
  const tokens = totalTokens(consumption)
  const about = consumption.tokensEstimated ? 'about ' : ''
  return [
    seconds(consumption.activeMs),
    agent.reportsUsage ? `${about}${plural(tokens, 'token')}` : 'tokens unknown',
    ...(consumption.costUsd === null || consumption.costUsd === 0
      ? []
      : [`$${consumption.costUsd.toFixed(4)}`]),
    ...judgesPart(state),
  ]
}

function judgesPart({ checksCostUsd }: RunState): readonly string[] {
  return checksCostUsd === 0 ? [] : [`judges $${checksCostUsd.toFixed(4)}`]
}

/** Such as `held-out 1 of 3, shown 5 of 5`; empty if nothing was held out. */
export function heldOutWords(gap: HeldOutGap | null): readonly string[] {
  if (gap === null) return []
  const { shown, heldOut } = gap
  return [`held-out ${heldOut.passed} of ${heldOut.total}, shown ${shown.passed} of ${shown.total}`]
}

export function isVerification({ agent }: RunState): boolean {
  return agent.name === checksOnly
}

export function startLines(event: FactOf<'run-started'>, state: RunState): readonly Line[] {
  const { donecheckVersion, parent, sandbox, settings, agent } = event
  if (isVerification(state))
    return [line('quiet', `donecheck ${donecheckVersion} · verification ${state.runId}`)]
  const partOf = parent === undefined ? '' : ` · part of run ${parent.runId}`
  const inTurns = tokensInTurns(settings.caps, agent)
  return [
    line('strong', `donecheck ${donecheckVersion} · run ${state.runId}${partOf}`),
    ...whoAndUntil(state),
    ...(inTurns === undefined ? [] : [line('quiet', inTurns)]),
    ...sandboxLines(sandbox),
    ...[...uncounted(state), ...switchedOff(settings)].map((text) => line('warning', `! ${text}`)),
  ]
}

export function resumeLines(state: RunState): readonly Line[] {
  return [
    line('strong', `resumed run ${state.runId} at turn ${state.turn}`),
    ...whoAndUntil(state),
    line('plain', firstLines(`task: ${state.task}`, 6, '')),
  ]
}

function whoAndUntil({ agent, settings, workFolder }: RunState): readonly Line[] {
  const checks = namesOfChecks(settings)
  const guard = settings.verifiers.length > checks.length ? ' · guarded' : ''
  const folder = workFolder === null ? '' : ` · folder: ${workFolder}`
  const until = checks.length > 0 ? checks.join(' · ') : '(nothing)'
  return [
    line('quiet', `agent: ${oneLine(agent.name, 100)}${folder}`),
    line('quiet', `until: ${until} · caps: ${capsWords(settings.caps)}${guard}`),
  ]
}

function namesOfChecks({ verifiers }: RunSettings): readonly string[] {
  return verifiers.filter(({ role }) => role !== 'guard').map(({ name }) => oneLine(name, 80))
}

/** Lists caps that cannot apply, or whose use cannot be proven. */
function uncounted({ agent, settings }: RunState): readonly string[] {
  return [
    ...(agent.reportsUsage || !hasTokenCap(settings.caps)
      ? []
      : ['this agent does not report its tokens: the token cap cannot hold it']),
    ...(agent.kind === 'model' && agent.prices === null
      ? [`the price of ${oneLine(agent.name, 100)} is unknown: the cost is not counted`]
      : []),
    ...(namesOfChecks(settings).length > 0 || settings.replyCheck !== null
      ? []
      : ['no check is given: the run can end only as unverified']),
  ]
}

function switchedOff({ soft, finalSummary, verifyAtCap }: RunSettings): readonly string[] {
  if (soft === null) return []
  const modes = {
    'loop detection': soft.loopDetection.mode,
    stagnation: soft.stagnation.mode,
    ...(soft.tokenBudget === null ? {} : { 'token budget': soft.tokenBudget.mode }),
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

const maxShownLength = 20

const titles: Readonly<Record<SummarySource, string>> = {
  agent: 'summary of the agent',
  'withheld-answer': 'last answer of the agent, which the checks did not confirm',
  program: 'summary of the record',
}

export function summaryLines(state: RunState): readonly Line[] {
  if (state.phase.kind !== 'stopped') return []
  const { transition } = state.phase
  const { summary, summaryBy = 'program' } = transition
  if (summary === undefined) return []
  const lines: Line[] = [
    line('strong', `${titles[summaryBy]}:`),
    line('plain', firstLines(summary, maxShownLength, '  | ')),
  ]
  if (summaryBy === 'program') return lines
  return [...lines, line('quiet', `to go on: ${howToGoOn(state, transition)}`)]
}

export function finalSummaryLines(
  event: FactOf<'final-summary-called' | 'final-summary-replied'>,
): readonly Line[] {
  if (event.type === 'final-summary-called')
    return [line('strong', 'the run ends: the agent is asked for a summary, without tools')]
  const { problem, droppedCalls } = event
  return [
    ...(problem === undefined ? [] : [warning(`no summary of the agent: ${oneLine(problem, 300)}`)]),
    ...(droppedCalls === 0
      ? []
      : [warning(`it asked for ${plural(droppedCalls, 'tool call')} all the same: none was run`)]),
  ]
}

function warning(text: string): Line {
  return line('warning', `  ! ${text}`)
}
