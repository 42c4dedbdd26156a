import { given } from '@donecheck/engine/base'
import type { SubGoalBudget } from '@donecheck/core/goal'
import { withoutCode } from './code-spans.ts'
import { partBudgetForm, readPartBudget } from './part-budget.ts'

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
  for (const { index, 0: whole, groups = {} } of withoutCode(line).matchAll(clause)) {
    const kind = (groups['kind'] ?? '').toLowerCase().replace(/\s+/, ' ')
    const end = index + whole.length
    const text = line.slice(end - 1 - (groups['text'] ?? '').length, end - 1)
    if (found.has(kind)) return `"(${kind} …)" stands there twice; write it once, with commas`
    found.set(kind, text)
    pieces.push(line.slice(from, index))
    from = end
  }
  const rest = [...pieces, line.slice(from)].join('').trim()
  if (leftOver.test(withoutCode(rest)))
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
