/** What stands to the left of `=` or between `for` and `in`. */
import { SourceFault } from './source-fault.ts'
import type { Expression, Target } from './syntax.ts'

/** @throws SourceFault where nothing can be assigned to it */
export function targetOf(expression: Expression): Target {
  const { line, column } = expression
  switch (expression.kind) {
    case 'name':
      return { line, column, kind: 'name', name: expression.name }
    case 'index':
      return { line, column, kind: 'index', object: expression.object, index: expression.index }
    case 'list':
    case 'tuple':
      return { line, column, kind: 'several', targets: expression.items.map(targetOf) }
    default:
      throw new SourceFault(expression, 'nothing can be assigned to this')
  }
}

/** The names that it gives a value. */
export function namesOf(target: Target): readonly string[] {
  switch (target.kind) {
    case 'name':
      return [target.name]
    case 'index':
      return []
    case 'several':
      return target.targets.flatMap(namesOf)
  }
}
