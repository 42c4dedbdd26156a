/** Checks as rows: those that decide, and those that only advise. */
import { type VerifierDescription, type VerifierRole, detectorNames } from '@donecheck/core/settings'
import type { CheckCost, CheckCosts, RowState, TierRow, TierSubject } from './tier.ts'
import { bounds, capTable, typedName, type Bound } from '@donecheck/core/budgets'
import { seconds, thousands, type RuleMode } from '@donecheck/core/base'

const roleWords: Readonly<Record<VerifierRole, string>> = {
  check: 'looks at the work',
  'held-out': 'never shown to the agent; asked once all others are green',
  probe: 'plants faults, and asks whether the checks notice them',
  guard: 'what is green must be so with the checks as they were',
}

const inOrder = Object.keys(roleWords)

/** A check of the work or of the answer decides here: the word of the drive alone ends nothing. */
export function isDecided({ settings, known, host }: TierSubject): boolean {
  const decides = settings.verifiers.some(
    ({ name, required, role }) => required && role === 'check' && known.get(name)?.isIdle !== true,
  )
  return host?.hooks !== 'none' && (decides || settings.replyCheck?.verifies === true)
}

export function hardRows(subject: TierSubject, costs: CheckCosts): readonly TierRow[] {
  const { settings, offered, host } = subject
  const isAsked = host?.hooks !== 'none'
  // Guards, and what is asked last, come into play where a check decides, and only there.
  const rest = !isAsked ? 'offered' : isDecided(subject) ? 'stands' : 'idle'
  const required = settings.verifiers
    .filter((one) => one.required)
    .toSorted((one, other) => inOrder.indexOf(one.role) - inOrder.indexOf(other.role))
  return [
    ...required.map((one) =>
      checkRow(one, one.role === 'check' && isAsked ? 'stands' : rest, subject, costs),
    ),
    ...replyRows(subject, costs, true),
    ...offered.map(({ preset, what }) => asked(preset, 'offered', what, costs.get(preset))),
  ]
}

/** What is asked for its advice, or for the record. */
export function adviceRows(subject: TierSubject, costs: CheckCosts): readonly TierRow[] {
  if (subject.host?.hooks === 'none') return []
  const advisers = subject.settings.verifiers.filter(({ required }) => !required)
  return [
    ...advisers.map((one) => checkRow(one, 'advises', subject, costs)),
    ...replyRows(subject, costs, false),
  ]
}

function checkRow(
  { name, role, reads }: VerifierDescription,
  state: RowState,
  { known }: TierSubject,
  costs: CheckCosts,
): TierRow {
  const found = known.get(name)
  const usual = role === 'check' && reads === 'answer' ? 'looks at the answer' : roleWords[role]
  return asked(name, found?.isIdle === true ? 'idle' : state, found?.what ?? usual, costs.get(name))
}

/** @param verifies whether what passes counts as verified */
function replyRows({ settings }: TierSubject, costs: CheckCosts, verifies: boolean): readonly TierRow[] {
  const { replyCheck } = settings
  if (replyCheck?.verifies !== verifies) return []
  const which = replyCheck.trigger === 'all' ? 'every reply' : 'a reply that claims something'
  const what = `judges ${which}, and sends it back: ${replyCheck.maxAttempts} attempts at most`
  return [asked('judge', verifies ? 'stands' : 'advises', what, costs.get('judge'))]
}

const notMeasured: CheckCost = { verdicts: 0, medianSeconds: null, medianCostUsd: null }

function asked(name: string, state: RowState, what: string, cost = notMeasured): TierRow {
  return { name, state, what, option: null, cost }
}

const stateOfMode: Readonly<Record<RuleMode, RowState>> = { on: 'stands', shadow: 'shadow', off: 'off' }

export function ruleRows(subject: TierSubject): readonly TierRow[] {
  const { soft, verifiers } = subject.settings
  if (soft === null || subject.host?.hooks === 'none') return []
  const { loopDetection, stagnation, tokenBudget } = soft
  const { warningThreshold, criticalThreshold, detectors, mode } = loopDetection
  const count = detectorNames.filter((name) => (detectors[name] ?? mode) !== 'off').length
  const loops = `${count} detectors; equal calls are told after ${warningThreshold}, refused after ${criticalThreshold}`
  const compares = verifiers.some(({ role }) => role === 'check')
  const patience = `${stagnation.patienceVerifications} verifications that are no better than the best before`
  const budget =
    tokenBudget === null ? 'none' : `${thousands(tokenBudget.budgetTokens)} output tokens to keep going for`
  return [
    row('loop detection', stateOfMode[mode], loops, '--loop-detection on', 'loopDetection'),
    compares || stagnation.mode === 'off'
      ? row('stagnation', stateOfMode[stagnation.mode], patience, '--stagnation on', 'stagnation')
      : row('stagnation', 'idle', 'nothing to compare without a check', '--stagnation on', 'stagnation'),
    // Where nobody tells the tokens, it is refused.
    ...(isCounted('tokens', subject)
      ? [
          row(
            'token budget',
            stateOfMode[tokenBudget?.mode ?? 'off'],
            budget,
            '--token-budget 50000',
            'tokenBudget',
          ),
        ]
      : []),
  ]
}

export function capRows(subject: TierSubject): readonly TierRow[] {
  const { settings, config, host } = subject
  if (host?.hooks === 'none') return []
  const { judge, maxJudgeCostUsd = null } = config
  const judges = host === null && judge !== undefined
  return [
    ...bounds.flatMap((bound) => capRow(bound, subject)),
    ...Object.entries(settings.caps.maxCallsPerTool).map(([tool, count]) => {
      const flag = `maxToolCallsOf`
      return row(`tool_calls of ${tool}`, 'stands', thousands(count), flag, 'maxToolCallsOf')
    }),
    ...(judges
      ? [limitRow('judge_cost', dollars(maxJudgeCostUsd), 'maxJudgeCostUsd', 'maxJudgeCostUsd')]
      : []),
  ]
}

/** None for one that is off, and could not be kept. */
function capRow(bound: Bound, subject: TierSubject): readonly TierRow[] {
  const { cap, field, key, kind } = capTable[bound]
  const value = subject.settings.caps[field]
  const limit =
    kind === 'cost'
      ? dollars(value)
      : value === null
        ? null
        : kind === 'time'
          ? seconds(value)
          : thousands(value)
  const flag = `--max-${typedName(bound)}`
  if (isCounted(kind, subject)) {
    const isDefault = limit !== null && subject.config[key] === undefined
    return [limitRow(cap, isDefault ? `${limit} by default` : limit, flag, key)]
  }
  return limit === null ? [] : [row(cap, 'idle', `${limit}, and nobody tells what is used`, flag, key)]
}

/** Of a drive that nobody knows everything is taken as said. */
function isCounted(kind: (typeof capTable)[Bound]['kind'], { drive }: TierSubject): boolean {
  if (drive === null) return true
  if (kind === 'cost') return drive.prices !== null || drive.reportsCost === true
  return kind !== 'tokens' || drive.reportsUsage
}

function dollars(value: number | null): string | null {
  return value === null ? null : `$${value}`
}

/** @param limit null: it is switched off */
function limitRow(name: string, limit: string | null, flag: string, key: string): TierRow {
  return row(name, limit === null ? 'off' : 'stands', limit ?? 'none', flag, key)
}

function row(name: string, state: RowState, what: string, flag: string, key: string): TierRow {
  return { name, state, what, option: { flag, key }, cost: null }
}
