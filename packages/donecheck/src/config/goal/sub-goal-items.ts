/** Such as `[id] Title (after other) (at most 8 turns)` and commands in backticks; children are indented. */
import type { CommandCheck, SubGoal } from '@donecheck/core/goal'
import { clausesOf } from './clauses.ts'
import { commandsOf } from './code-spans.ts'
import type { Item, Line } from './markdown.ts'

export type Wrong = (line: Line, problem: string) => Error

export interface Part {
  readonly subGoal: SubGoal
  readonly checks: readonly CommandCheck[]
  /** Nearest first. */
  readonly above: readonly string[]
}

export function checkName(subGoalId: string): string {
  return `goal ${subGoalId}`
}

export function namedChecks(name: string, commands: readonly string[]): readonly CommandCheck[] {
  return commands.map((command, index) => ({
    name: index === 0 ? name : `${name} ${index + 1}`,
    command,
  }))
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
