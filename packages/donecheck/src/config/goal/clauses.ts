/** What stands in brackets about a part, anywhere in its line: `(after api and docs)`, `(in docs/, README.md)`, `(at most 8 turns)`. */
import { given } from '@donecheck/engine/base'
import { posix } from 'node:path'
import type { SubGoalBudget } from '@donecheck/core/goal'
import { withoutCode } from './code-spans.ts'
import { partBudgetForm, readPartBudget } from './part-budget.ts'

export interface Clauses {
  /** The line without them. */
  readonly rest: string
  /** Ids, lower case. */
  readonly after: readonly string[]
  readonly paths?: readonly string[]
  readonly budget?: SubGoalBudget
}

/** Whether there is such a file or folder, relative to the work folder. */
export type IsThere = (path: string) => boolean

const clause = /\s*\((?<kind>after|in|at\s+most):?\s+(?<text>[^()]+)\)/gi
const leftOver = /\((?:(?:after|at\s+most)\s|in\s[^()]*(?:\(|$))/i

/** @returns a string: what is wrong */
export function clausesOf(line: string, isThere: IsThere): Clauses | string {
  const found = new Map<string, string>()
  const pieces: string[] = []
  let from = 0
  for (const { index, 0: whole, groups = {} } of withoutCode(line).matchAll(clause)) {
    const kind = (groups['kind'] ?? '').toLowerCase().replace(/\s+/, ' ')
    const end = index + whole.length
    const text = line.slice(end - 1 - (groups['text'] ?? '').length, end - 1)
    if (kind === 'in' && !namesIn(text).some((name) => isPathLike(name, isThere))) continue
    if (found.has(kind)) return `"(${kind} …)" stands there twice; write it once, with commas`
    found.set(kind, text)
    pieces.push(line.slice(from, index))
    from = end
  }
  const rest = [...pieces, line.slice(from)].join('').trim()
  if (leftOver.test(withoutCode(rest)))
    return 'a bracket is not closed, or has brackets in it; put such names in backticks'
  return withBudget(rest, found, isThere)
}

function withBudget(rest: string, found: ReadonlyMap<string, string>, isThere: IsThere): Clauses | string {
  const paths = pathsOf(found.get('in'), isThere)
  if (typeof paths === 'string') return paths
  const atMost = found.get('at most')
  const budget = atMost === undefined ? undefined : readPartBudget(atMost)
  if (atMost !== undefined && budget === undefined) return `"at most" takes ${partBudgetForm}`
  return {
    rest,
    after: namesIn(found.get('after') ?? '').map((name) => name.toLowerCase()),
    ...given({ paths, budget }),
  }
}

function namesIn(text: string): readonly string[] {
  const names = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).map((name) => name.trim())
  return text === '' ? [] : names
}

/** Elsewhere "in" is a word of the title: `(in the parser)`. */
function isPathLike(name: string, isThere: IsThere): boolean {
  return /^`.*`$/.test(name) || (!/\s/.test(name) && (/[/.]/.test(name) || isThere(name)))
}

function pathsOf(text: string | undefined, isThere: IsThere): readonly string[] | string | undefined {
  if (text === undefined) return undefined
  const paths: string[] = []
  for (const name of namesIn(text)) {
    const path = posix.normalize(name.replaceAll('`', '').trim()).replace(/\/+$/, '')
    if (!isPathLike(name, isThere))
      return `"${name}" may be a path or not; write it with a / or in backticks, or put the words out of the brackets`
    if (/[*?{}]/.test(path)) return `"${name}" is a pattern; "in" names files and folders`
    if (/^(?:\/|~|[a-z]:|\.\.(?:\/|$)|\.?$)/i.test(path))
      return `"${name}" does not lie within the work folder; "in" names files and folders there`
    paths.push(path)
  }
  return paths
}
