/** `[item for name in items if condition]`, and the same for dicts. */
import { hashOf } from './compare.ts'
import { loopOver } from './items.ts'
import type { Machine } from './machine.ts'
import { namesOf } from './target.ts'
import type { Clause, Entry, Expression, Target } from './syntax.ts'
import { emptyDict, isTrue, listOf, type Scope, type Value } from './value.ts'

/** What it needs of the evaluator. */
interface Evaluates {
  readonly machine: Machine
  evaluate(expression: Expression, scope: Scope): Value
  assign(target: Target, value: Value, scope: Scope): void
}

/** Its names are its own; what the first loop runs over is still evaluated outside. */
export function evaluateComprehension(
  { item, clauses }: { readonly item: Expression | Entry; readonly clauses: readonly Clause[] },
  outer: Scope,
  evaluator: Evaluates,
): Value {
  const names = clauses.flatMap((clause) => (clause.kind === 'for' ? namesOf(clause.target) : []))
  const scope: Scope = { owns: new Set(names), values: new Map(), outer }
  const result = 'key' in item ? emptyDict() : listOf([])
  const { machine } = evaluator
  const visit = (index: number): void => {
    const clause = clauses[index]
    if (clause === undefined) add()
    else if (clause.kind === 'if') {
      if (isTrue(evaluator.evaluate(clause.condition, scope))) visit(index + 1)
    } else
      loopOver(evaluator.evaluate(clause.items, index === 0 ? outer : scope), machine, (value) => {
        evaluator.assign(clause.target, value, scope)
        visit(index + 1)
        return false
      })
  }
  const add = (): void => {
    machine.make(1)
    if (result.kind === 'list') result.items.push('key' in item ? null : evaluator.evaluate(item, scope))
    else if ('key' in item) {
      const key = evaluator.evaluate(item.key, scope)
      result.entries.set(hashOf(key, machine), [key, evaluator.evaluate(item.value, scope)])
    }
  }
  visit(0)
  return result
}
