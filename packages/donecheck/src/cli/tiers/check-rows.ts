/** Checks as rows: those that decide, and those that only advise. */
import type { VerifierDescription, VerifierRole } from '@donecheck/core/settings'
import type { CheckCost, CheckCosts, RowState, TierRow, TierSubject } from './tier.ts'

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
