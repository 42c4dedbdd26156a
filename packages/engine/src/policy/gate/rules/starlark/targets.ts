/** What gets a value: names, items of lists and dicts, several of them at once. */
import type { ExpressionReader } from './expression.ts'
import { setItem } from './operators.ts'
import type { Scope } from './scope.ts'
import { SourceFault, type Position } from './source-fault.ts'
import { itemsOf, type Value } from './value.ts'

export type Target = (scope: Scope, value: Value) => void

/** One name, several with commas, brackets around them, or an item of what another name has. */
export function readTargets(parser: ExpressionReader): Target {
  const { reader } = parser
  const { next } = reader
  const targets = [readTarget(parser)]
  if (!reader.isAt(',')) return targets[0] ?? (() => undefined)
  while (reader.skip(',') && !reader.isAt('=') && !reader.isWord('in')) targets.push(readTarget(parser))
  return spread(targets, next)
}

function readTarget(parser: ExpressionReader): Target {
  const { reader } = parser
  const at = reader.next
  const closing = reader.skip('(') ? ')' : reader.skip('[') ? ']' : undefined
  if (closing !== undefined) {
    const inner = parser.nested(() => readTargets(parser))
    reader.expect(closing)
    return inner
  }
  const name = reader.takeName()
  if (!reader.skip('[')) {
    parser.bound.at(-1)?.add(name)
    return (scope, value) => scope.bind(name, value)
  }
  const index = parser.read()
  reader.expect(']')
  return (scope, value) => setItem(scope.valueOf(name, at), index(scope), value, { at, meter: scope.meter })
}

function spread(targets: readonly Target[], at: Position): Target {
  return (scope, value) => {
    const items = itemsOf(value, at)
    if (items.length !== targets.length)
      throw new SourceFault(at, `${targets.length} names for ${items.length} values`)
    for (const [index, target] of targets.entries()) target(scope, items[index] ?? null)
  }
}
