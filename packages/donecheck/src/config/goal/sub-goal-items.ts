/** Such as `[id] Title (after other) (at most 8 turns)` and commands in backticks; children are indented. */
import type { CommandCheck, SubGoal, SubGoalBudget } from '@donecheck/core/internal/goal'
import { codeSpansIn, withoutCode, type Item, type Line } from '../markdown.ts'
import { given } from '@donecheck/engine/internal/base'
import { checkName, namedChecks, partBudgetForm, readPartBudget } from './part-budget.ts'

export type Wrong = (line: Line, problem: string) => Error

export interface Part {
  readonly subGoal: SubGoal
  readonly checks: readonly CommandCheck[]
  /** Nearest first. */
  readonly above: readonly string[]
}

export function partsOf(items: readonly Item[], wrong: Wrong): readonly Part[] {
  const parts: Part[] = []
  let open: readonly { readonly id: string; readonly indent: number }[] = []
  for (const { line, indent } of items) {
    open = open.filter((each) => indent >= each.indent + leastIndent)
    const above = open.map(({ id }) => id).toReversed()
    const part = partOf(line, above, wrong)
    const ids = parts.map(({ subGoal }) => subGoal.id)
    const { id, after } = part.subGoal
    if (ids.includes(id)) throw wrong(line, `there is a sub-goal "${id}" already`)
    const unknown = after.find((each) => !ids.includes(each))
    if (unknown !== undefined)
      throw wrong(line, `there is no sub-goal "${unknown}" above it; "after" names ids of those above`)
    const own = after.find((each) => above.includes(each))
    if (own !== undefined) throw wrong(line, `it is a part of "${own}", so it cannot come after it`)
    parts.push(part)
    open = [...open, { id, indent }]
  }
  return parts
}

const leastIndent = 2
const taskBox = /^\[(?: \]\s*|[xX]\]\s+(?=\[))/
const withId = /^\[(?<id>[a-z0-9][a-z0-9-]{0,39})\]:?\s+(?<rest>.+)$/i

function partOf(line: Line, above: readonly string[], wrong: Wrong): Part {
  const { id: written, rest } = withId.exec(line.text.replace(taskBox, ''))?.groups ?? {}
  if (written === undefined || rest === undefined)
    throw wrong(
      line,
      'a sub-goal begins with its id in brackets, of letters, digits and dashes, such as "- [docs] Write the guide"; indent what goes on with the line above',
    )
  const clauses = clausesOf(rest)
  if (typeof clauses === 'string') throw wrong(line, clauses)
  const { rest: text, ...limits } = clauses
  const commanded = commandsOf(text)
  if (typeof commanded === 'string') throw wrong(line, commanded)
  const { words: title, commands } = commanded
  if (title === '') throw wrong(line, 'it has no title')
  const id = written.toLowerCase()
  const checks = namedChecks(checkName(id), commands)
  return {
    subGoal: {
      id,
      title,
      parentId: above[0] ?? null,
      checks: checks.map(({ name }) => name),
      isProposed: false,
      ...limits,
    },
    checks,
    above,
  }
}

interface Clauses {
  readonly rest: string
  readonly after: readonly string[]
  readonly budget?: SubGoalBudget
}

const clause = /\s*\((?<kind>after|at\s+most):?\s+(?<text>[^()]+)\)/gi
const leftOver = /\((?:after|at\s+most)\s/i

export function clausesOf(line: string): Clauses | string {
  const found = new Map<string, string>()
  const pieces: string[] = []
  let from = 0
  for (const { index, 0: whole, groups = {} } of maskCode(line).matchAll(clause)) {
    const kind = (groups['kind'] ?? '').toLowerCase().replace(/\s+/, ' ')
    const end = index + whole.length
    const text = line.slice(end - 1 - (groups['text'] ?? '').length, end - 1)
    if (found.has(kind)) return `"(${kind} …)" stands there twice; write it once, with commas`
    found.set(kind, text)
    pieces.push(line.slice(from, index))
    from = end
  }
  const rest = [...pieces, line.slice(from)].join('').trim()
  if (leftOver.test(maskCode(rest)))
    return 'a bracket is not closed, or has brackets in it; put such names in backticks'
  return withBudget(rest, found)
}

function withBudget(rest: string, found: ReadonlyMap<string, string>): Clauses | string {
  const atMost = found.get('at most')
  const budget = atMost === undefined ? undefined : readPartBudget(atMost)
  if (atMost !== undefined && budget === undefined) return `"at most" takes ${partBudgetForm}`
  return {
    rest,
    after: namesIn(found.get('after') ?? '').map((name) => name.toLowerCase()),
    ...given({ budget }),
  }
}

function namesIn(text: string): readonly string[] {
  const names = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).map((name) => name.trim())
  return text === '' ? [] : names
}

/** Of the same length, so that offsets stay valid. */
const mask = '\uFFFC'

function maskCode(text: string): string {
  return withoutCode(text, ({ from, to }) => mask.repeat(to - from))
}

interface Commanded {
  readonly words: string
  readonly commands: readonly string[]
}

const commandsAtEnd = new RegExp(
  `^(?<words>.*?)(?<mark>\\s*:|\\s[–—-])?\\s*(?<commands>${mask}+(?:(?:\\s*[,;](?:\\s*and\\s)?|\\s+and\\s)\\s*${mask}+)*)\\s*[.,;]?$`,
)

/** @returns a string if the text is invalid */
export function commandsOf(text: string): Commanded | string {
  const masked = maskCode(text)
  if (/(?<!\\)`/.test(masked)) return 'a backtick is never closed'
  const { words = masked, mark, commands = '' } = commandsAtEnd.exec(masked)?.groups ?? {}
  const isMarked = commands === '' || mark !== undefined
  if (new RegExp(`:\\s*${mask}`).test(words) || (!isMarked && words.includes(mask)))
    return 'commands stand at the end, after a colon, with "and" or a comma between them'
  const first = commands === '' ? text.length : masked.lastIndexOf(commands)
  const found = codeSpansIn(text).flatMap(({ from, code }) => (from < first ? [] : code))
  if (found.includes('')) return 'a command is empty'
  return { words: text.slice(0, words.length).trim(), commands: found }
}
