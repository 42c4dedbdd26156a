import { amounts, capTable, type CapName } from '@donecheck/core/internal/budgets'
import { spendingOf } from '@donecheck/core/internal/rules/caps'
import { openSubGoals } from '@donecheck/core/internal/goal'
import { hasPassed, totalTokens, type RunState } from '@donecheck/core/internal/state'
import { exitCodeOfStop, resumableOutcomes } from '@donecheck/core/internal/decide/stops'
import type { StopTransition, StopReason } from '@donecheck/core/internal/events/transitions'
import { given } from '../../base/index.ts'
import { waitBefore, topUpOf } from '@donecheck/core/internal/decide'
import { waitText, amountOfLimit } from './lines/budget-lines.ts'
import { isVerification } from './lines/final-line.ts'
import { isOpen } from '@donecheck/core/internal/decide/aggregate'
import type { Evidence, Verdict, VerdictStatus } from '@donecheck/core/internal/events/verdicts'
import { evidenceWords, failedTestWords } from '@donecheck/core/internal/state/words'
import { outputHint } from './lines/verdict-lines.ts'

interface Spending {
  readonly durationMs: number
  /** Null if unknown. */
  readonly tokens: number | null
  readonly isEstimated: boolean
  /** Null if no price is known. */
  readonly costUsd: number | null
  readonly checksCostUsd: number
  readonly caps: readonly CapUse[]
}

/** In turns, calls, tokens, dollars or milliseconds, depending on the cap. */
interface CapUse {
  readonly cap: CapName
  readonly used: number
  readonly limit: number
  readonly words: string
}

export interface Explanation {
  readonly runId: string
  readonly kind: RunKind
  readonly task: string
  readonly by: string
  /** Null if the run has not ended. */
  readonly end:
    | (Pick<StopTransition, 'outcome' | 'reason' | 'message' | 'cap' | 'detector'> & {
        readonly exitCode: number
      })
    | null
  /** Such as `waiting for the usage limit to reset, until 14:05:20`; absent if it does not wait. */
  readonly waiting?: string
  readonly turns: number
  readonly missing: readonly OpenCheck[]
  readonly openParts: readonly string[]
  readonly passed: readonly string[]
  readonly spent: Spending
  readonly next: readonly NextStep[]
}

export function explainRun(state: RunState, context: RunContext = {}): Explanation {
  const { runId, task, agent, phase, consumption } = state
  const kind = kindOf(state, context)
  const end = phase.kind === 'stopped' ? phase.transition : undefined
  const missing = end?.outcome === 'verified' ? [] : openChecks(state)
  return {
    runId,
    kind,
    task,
    by: agent.name,
    end: end === undefined ? null : endOf(end),
    ...given({ waiting: waitingOf(state) }),
    turns: consumption.iterations,
    missing,
    openParts: openSubGoals(state.goal, hasPassed(state)).map(({ title }) => title),
    passed: passedChecks(state),
    spent: spendingOfRun(state),
    next: nextSteps({ ...context, state, kind, end, missing }),
  }
}

function waitingOf({ phase }: RunState): string | undefined {
  const wait = phase.kind === 'retrying' && phase.wait === 'started' ? waitBefore(phase) : undefined
  return wait && `${waitText(wait)} (${wait.reason})`
}

function kindOf(state: RunState, { isSession = false }: RunContext): RunKind {
  if (isSession) return 'session'
  return isVerification(state) ? 'verification' : 'run'
}

function endOf(end: StopTransition): Explanation['end'] {
  const { outcome, reason, message, cap, detector } = end
  return {
    ...{ outcome, reason, message, exitCode: exitCodeOfStop(end) },
    ...given({ cap, detector }),
  }
}

function spendingOfRun(state: RunState): Spending {
  const { consumption, agent, checksCostUsd, settings } = state
  const caps = amounts.flatMap((amount): readonly CapUse[] => {
    const { cap, field, kind } = capTable[amount]
    const limit = settings.caps[field]
    if (limit === null || (kind === 'tokens' && !agent.reportsUsage)) return []
    const used = spendingOf(state, amount)
    return [{ cap, used, limit, words: amountOfLimit(amount, used, limit) }]
  })
  return {
    durationMs: consumption.activeMs,
    tokens: agent.reportsUsage ? totalTokens(consumption) : null,
    isEstimated: consumption.tokensEstimated,
    costUsd: consumption.costUsd,
    checksCostUsd,
    caps,
  }
}

type RunKind = 'run' | 'verification' | 'session'

export interface RunContext {
  /** Name of the run in suggested commands. Default: its id. */
  readonly name?: string
  readonly isSession?: boolean
  /** Command that runs the same checks again; undefined if unknown. */
  readonly again?: string
}

interface NextStep {
  readonly command: string
  readonly why: string
}

interface Ended extends RunContext {
  readonly state: RunState
  readonly kind: RunKind
  readonly end: StopTransition | undefined
  readonly missing: readonly OpenCheck[]
}

function nextSteps(ended: Ended): readonly NextStep[] {
  const { state, name = state.runId, kind } = ended
  const timeline = { command: `donecheck show ${name}`, why: 'the whole timeline' }
  return [...(kind === 'run' ? afterRun(ended, name) : withoutAgent(ended, name)), timeline]
}

function afterRun({ state, end, missing }: Ended, name: string): readonly NextStep[] {
  const resume = `donecheck resume ${name}`
  if (end === undefined) return [{ command: resume, why: 'goes on, if no process does' }]
  const topUp = state.parent === undefined ? topUpOf(state, end) : undefined
  if (topUp !== undefined) return [{ command: `${resume} --top-up ${topUp}`, why: 'goes on with more' }]
  if (waitsForAuthority(missing))
    return [
      { command: `donecheck show ${name} --changes`, why: 'which changes belong to the checks' },
      { command: `donecheck approve ${name}`, why: 'allows them in your name' },
    ]
  const first = resumableOutcomes.includes(end.outcome)
    ? [{ command: resume, why: resumeReasons[end.reason] ?? 'goes on where it stopped' }]
    : []
  return [...first, ...furtherSteps(end.reason, name)]
}

const resumeReasons: Readonly<Partial<Record<StopReason, string>>> = {
  blocked: 'goes on, once what is named above is there',
  error: 'goes on, once the cause is gone',
  awaiting_approval: 'goes on, once you have decided',
  permission_denied: 'goes on, and asks you again',
}

function furtherSteps(reason: StopReason, name: string): readonly NextStep[] {
  if (reason === 'task_complete')
    return [{ command: `donecheck receipt ${name}`, why: 'what was checked, on which tree' }]
  if (reason === 'model_ended')
    return [{ command: 'donecheck run --dry-run', why: 'which checks this project has' }]
  return []
}

function waitsForAuthority(missing: readonly OpenCheck[]): boolean {
  return missing.some(({ status }) => status === 'pending')
}

function withoutAgent({ kind, end, again }: Ended, name: string): readonly NextStep[] {
  if (kind === 'session')
    return [{ command: 'donecheck list --sessions', why: 'how the sessions of this project stand' }]
  if (end?.outcome === 'verified') return furtherSteps('task_complete', name)
  return again === undefined ? [] : [{ command: again, why: 'asks again, once it is fixed' }]
}

interface OpenCheck {
  readonly name: string
  /** `not-asked`: it has not run. */
  readonly status: VerdictStatus | 'not-asked'
  readonly reason: string
  /** Most telling first: failed tests, findings, a line of the output. */
  readonly evidence: readonly string[]
}

function openChecks({ settings, checks }: RunState): readonly OpenCheck[] {
  const open = settings.verifiers.flatMap(({ name, required, role }): readonly OpenCheck[] => {
    const latest = checks[name]?.latest
    if (latest === undefined)
      return required && role === 'check' ? [{ name, status: 'not-asked', reason: '', evidence: [] }] : []
    return (required || role === 'guard') && isOpen(latest) ? [openCheck(latest)] : []
  })
  return open.toSorted((one, other) => rank(one) - rank(other))
}

function passedChecks({ settings, checks }: RunState): readonly string[] {
  return settings.verifiers.flatMap(({ name, role }) =>
    role !== 'guard' && checks[name]?.latest?.status === 'passed' ? [name] : [],
  )
}

function rank({ status }: OpenCheck): number {
  return ['failed', 'error', 'pending', 'skipped', 'not-asked'].indexOf(status)
}

function openCheck(verdict: Verdict): OpenCheck {
  const { verifier, status, reason, evidence } = verdict
  const hint = outputHint(verdict).map(({ text }) => text.trim())
  return { name: verifier, status, reason, evidence: [...evidence.flatMap(seen), ...hint] }
}

const maxSeen = 20

/** What tells why a check is open. */
function seen(piece: Evidence): readonly string[] {
  switch (piece.kind) {
    case 'tests':
      return piece.failed.slice(0, maxSeen).map(failedTestWords)
    case 'judge':
      return piece.said === 'met' ? [] : [piece.reason]
    case 'finding':
    case 'file':
    case 'measure':
      return evidenceWords(piece)
    case 'command':
    case 'note':
    case 'authority':
      return []
  }
}
