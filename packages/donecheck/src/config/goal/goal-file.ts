/**
 * A goal as a Markdown file: what is wanted above the first heading or under `Outcome`, then sections in any order: `Sub-goals`,
 * `Checks`, `Constraints`, `Boundaries`, `Stop when`, `Budget`.
 *
 * @example
 * # Outcome
 * The shop takes vouchers.
 * ## Sub-goals
 * - [api] Vouchers are counted: `npm test -- voucher`
 * - [docs] The guide says how (after api) (in docs) (at most 8 turns): `npm run check:docs`
 * ## Checks
 * - `npm run lint`
 * ## Budget
 * - turns: 40
 */
import { UsageError } from '@donecheck/engine/base'
import { nearest } from '@donecheck/core/base'
import type { SubGoal } from '@donecheck/core/goal'
import type { CheckConfig } from '../check-schema.ts'
import { partBudgetForm, readPartBudget } from './part-budget.ts'

export interface GoalFile {
  /** What the drive is told. */
  readonly task: string
  readonly checks: readonly CheckConfig[]
  readonly subGoals: readonly SubGoal[]
  /** By key of the configuration. */
  readonly caps: Readonly<Record<string, number>>
}

const sections = [
  'outcome',
  'sub-goals',
  'checks',
  'constraints',
  'boundaries',
  'stop when',
  'budget',
] as const
type Section = (typeof sections)[number]

/** What a budget may name, and its key in the configuration. */
const budgetKeys: Readonly<Record<string, string>> = {
  turns: 'maxIterations',
  tokens: 'maxTokens',
  usd: 'maxCostUsd',
  seconds: 'maxSeconds',
}

interface Line {
  readonly number: number
  readonly text: string
}

/**
 * @param name of the file, for messages
 * @throws {UsageError} for what cannot be read, with its line
 */
export function readGoalFile(text: string, name: string): GoalFile {
  const found = sectionsOf(text, name)
  const at = (section: Section) => found.get(section) ?? []
  const wrong = ({ number, text: line }: Line, problem: string) =>
    new UsageError(`${name}:${number}: "${line.trim()}": ${problem}`)
  const parts = partsOf(items(at('sub-goals')), wrong)
  const outcome = proseOf(at('outcome'))
  if (outcome === '') throw new UsageError(`${name} does not say what is wanted; write it under "# Outcome"`)
  return {
    task: taskOf(outcome, found, parts),
    checks: [
      ...items(at('checks')).map((line) => ({ command: commandOf(line, wrong) })),
      ...parts.flatMap(({ subGoal, command }) =>
        command === undefined ? [] : [{ name: checkName(subGoal.id), command }],
      ),
    ],
    subGoals: parts.map(({ subGoal }) => subGoal),
    caps: Object.fromEntries(items(at('budget')).map((line) => capOf(line, wrong))),
  }
}

/** Of the check that decides about a part. */
export function checkName(subGoalId: string): string {
  return `goal ${subGoalId}`
}

function sectionsOf(text: string, name: string): ReadonlyMap<Section, readonly Line[]> {
  const found = new Map<Section, Line[]>()
  let section: Section = 'outcome'
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1]
    if (heading === undefined)
      found.set(section, [...(found.get(section) ?? []), { number: index + 1, text: line }])
    else section = sectionNamed(heading, `${name}:${index + 1}`)
  }
  return found
}

function sectionNamed(heading: string, place: string): Section {
  const wanted = heading.toLowerCase()
  const section = sections.find((one) => one === wanted)
  if (section !== undefined) return section
  const near = nearest(wanted, sections)
  throw new UsageError(
    `${place}: there is no section "${heading}"${near === undefined ? '' : `; did you mean "${near}"?`} A goal has: ${sections.join(', ')}`,
  )
}

function items(lines: readonly Line[]): readonly Line[] {
  return lines.flatMap(({ number, text }) => {
    const item = /^\s*[-*]\s+(.+)$/.exec(text)?.[1]
    return item === undefined ? [] : [{ number, text: item }]
  })
}

function proseOf(lines: readonly Line[]): string {
  return lines
    .map(({ text }) => text)
    .join('\n')
    .trim()
}

type Wrong = (line: Line, problem: string) => UsageError

interface Part {
  readonly subGoal: SubGoal
  /** Undefined: no command decides about it. */
  readonly command: string | undefined
}

/** Each is measured by those above it. */
function partsOf(lines: readonly Line[], wrong: Wrong): readonly Part[] {
  const parts: Part[] = []
  for (const line of lines) {
    const part = subGoalOf(line, wrong)
    const ids = parts.map(({ subGoal }) => subGoal.id)
    const { id, after } = part.subGoal
    if (ids.includes(id)) throw wrong(line, `there is a sub-goal "${id}" already`)
    const unknown = after.find((each) => !ids.includes(each))
    if (unknown !== undefined) throw wrong(line, `there is no sub-goal "${unknown}" above it`)
    parts.push(part)
  }
  return parts
}

/** `[id] Title (after other, third) (in docs) (at most 8 turns): `command``, its clauses in any order. */
function subGoalOf(line: Line, wrong: Wrong): Part {
  const { id, rest } = /^\[(?<id>[a-z0-9][a-z0-9-]{0,39})\]\s+(?<rest>.+)$/.exec(line.text)?.groups ?? {}
  if (id === undefined || rest === undefined)
    throw wrong(line, 'a sub-goal begins with its id in brackets, such as "- [docs] Write the guide"')
  const command = /`([^`]+)`\s*$/.exec(rest)?.[1]
  const words = rest.replace(/:?\s*`[^`]+`\s*$/, '')
  const { title, clauses } = clausesOf(words)
  const after = clauses.get('after')
  const paths = clauses.get('in')
  const atMost = clauses.get('at most')
  const budget = atMost === undefined ? undefined : readPartBudget(atMost)
  if (atMost !== undefined && budget === undefined) throw wrong(line, `"at most" takes ${partBudgetForm}`)
  if (title === '') throw wrong(line, 'it has no title')
  return {
    subGoal: {
      id,
      title,
      parentId: null,
      checks: command === undefined ? [] : [checkName(id)],
      after: namesIn(after),
      weight: 1,
      isProposed: false,
      ...(paths === undefined ? {} : { paths: namesIn(paths) }),
      ...(budget === undefined ? {} : { budget }),
    },
    command,
  }
}

/** What stands in brackets at the end, each clause once: `(after api)`, `(in docs, README.md)`, `(at most 8 turns)`. */
function clausesOf(words: string): { readonly title: string; readonly clauses: ReadonlyMap<string, string> } {
  const clauses = new Map<string, string>()
  let title = words.trim()
  for (;;) {
    const { kind, text } = /\((?<kind>after|in|at most) (?<text>[^()]+)\)$/.exec(title)?.groups ?? {}
    if (kind === undefined || text === undefined || clauses.has(kind)) return { title, clauses }
    clauses.set(kind, text)
    title = title.slice(0, title.lastIndexOf('(')).trim()
  }
}

function namesIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(',').map((one) => one.trim())
}

function commandOf(line: Line, wrong: Wrong): string {
  const command = /`([^`]+)`/.exec(line.text)?.[1]
  if (command === undefined) throw wrong(line, 'a check is a command in backticks, such as "- `npm test`"')
  return command
}

function capOf(line: Line, wrong: Wrong): readonly [string, number] {
  const { what, amount } = /^(?<what>[a-z]+):\s*(?<amount>[\d._]+)\s*$/i.exec(line.text)?.groups ?? {}
  const key = what === undefined ? undefined : budgetKeys[what.toLowerCase()]
  const value = Number(amount?.replaceAll('_', ''))
  if (key === undefined || !(value > 0))
    throw wrong(
      line,
      `a budget is one of ${Object.keys(budgetKeys).join(', ')} and a number, such as "- turns: 40"`,
    )
  return [key, value]
}

function taskOf(
  outcome: string,
  found: ReadonlyMap<Section, readonly Line[]>,
  parts: readonly Part[],
): string {
  const rules = (['constraints', 'boundaries', 'stop when'] as const).flatMap((section) => {
    const prose = proseOf(found.get(section) ?? [])
    return prose === '' ? [] : [`${section.charAt(0).toUpperCase()}${section.slice(1)}:\n${prose}`]
  })
  const list = parts.map(({ subGoal: { id, title, after } }) => {
    const order = after.length === 0 ? '' : ` (after ${after.join(', ')})`
    return `- ${id}: ${title}${order}`
  })
  return [
    outcome,
    ...(list.length === 0 ? [] : [`Parts, in their order:\n${list.join('\n')}`]),
    ...rules,
  ].join('\n\n')
}
