/** Which runs a side is made of, by what a person calls it. */
import { dayOf, type RunRow } from '../insights/index.ts'

export const sideKinds = ['label', 'agent', 'model', 'policy', 'period'] as const
export type SideKind = (typeof sideKinds)[number]

export type Side =
  | { readonly kind: SideKind; readonly name: string; readonly has: (row: RunRow) => boolean }
  /** One sentence on what is wrong with the name, and the way out. */
  | { readonly kind: 'unknown'; readonly problem: string }

const periodForm = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/

/**
 * A period such as `2026-11-01..2026-11-14` (both days included, in UTC, by the start of a run), `kind:name`, or a name that
 * exactly one kind has in these rows.
 */
export function sideOf(given: string, rows: readonly RunRow[]): Side {
  const kind = sideKinds.find((one) => given.startsWith(`${one}:`))
  if (kind !== undefined) return sideOfKind(kind, given.slice(kind.length + 1))
  if (periodForm.test(given)) return sideOfKind('period', given)
  const kinds = sideKinds.filter((one) => rows.some((row) => namesOf(row, one).includes(given)))
  const [only] = kinds
  if (only === undefined) return unknown(given, 'no run has it as a label, agent, model or policy')
  if (kinds.length === 1) return sideOfKind(only, given)
  return unknown(
    given,
    `it is the name of several: write ${kinds.map((one) => `${one}:${given}`).join(' or ')}`,
  )
}

function sideOfKind(kind: SideKind, name: string): Side {
  if (kind !== 'period') return { kind, name, has: (row) => namesOf(row, kind).includes(name) }
  const [, from, to] = periodForm.exec(name) ?? []
  const [first, last] = [Date.parse(`${from ?? ''}T00:00:00Z`), Date.parse(`${to ?? ''}T00:00:00Z`)]
  if (Number.isNaN(first) || Number.isNaN(last) || first > last)
    return unknown(name, 'a period is two days in their order, such as 2026-11-01..2026-11-14')
  const [firstDay, lastDay] = [dayOf(first), dayOf(last)]
  const has = ({ startedAtMs }: RunRow) => dayOf(startedAtMs) >= firstDay && dayOf(startedAtMs) <= lastDay
  return { kind, name, has }
}

function namesOf({ labels, agent, model, policy }: RunRow, kind: SideKind): readonly (string | null)[] {
  const names = { label: labels, agent: [agent], model: [model], policy: [policy], period: [] }
  return names[kind]
}

function unknown(name: string, problem: string): Side {
  return { kind: 'unknown', problem: `"${name}" names no runs: ${problem}` }
}
