/** Every name must be known before anything runs, also in code that is never reached. */
import { assignedIn } from './parse-statement.ts'
import { namesOf } from './target.ts'
import { SourceFault, type Position } from './source-fault.ts'
import type { Clause, Definition, Entry, Expression, Statement, Target } from './syntax.ts'

type IsKnown = (name: string) => boolean

/** @throws SourceFault at the first name that nobody gives a value */
export function checkNames(statements: readonly Statement[], isBuiltIn: IsKnown): void {
  checkBody(statements, withNames(isBuiltIn, assignedIn(statements)))
}

function withNames(isKnown: IsKnown, names: Iterable<string>): IsKnown {
  const own = new Set(names)
  return (name) => own.has(name) || isKnown(name)
}

function checkBody(statements: readonly Statement[], isKnown: IsKnown): void {
  for (const statement of statements) checkStatement(statement, isKnown)
}

function checkStatement(statement: Statement, isKnown: IsKnown): void {
  switch (statement.kind) {
    case 'expression':
      check(statement.expression, isKnown)
      return
    case 'assign':
    case 'change':
      check(statement.value, isKnown)
      checkTarget(statement.target, isKnown)
      return
    case 'if':
      for (const { condition, body } of statement.branches) {
        check(condition, isKnown)
        checkBody(body, isKnown)
      }
      return
    case 'for':
      check(statement.items, isKnown)
      checkTarget(statement.target, isKnown)
      checkBody(statement.body, isKnown)
      return
    case 'def':
      checkDefinition(statement.definition, isKnown)
      return
    case 'return':
      check(statement.value, isKnown)
      return
    case 'pass':
    case 'break':
    case 'continue':
  }
}

function checkDefinition({ parameters, body, locals }: Definition, isKnown: IsKnown): void {
  for (const { otherwise } of parameters) check(otherwise, isKnown)
  checkBody(body, withNames(isKnown, locals))
}

function checkTarget(target: Target, isKnown: IsKnown): void {
  if (target.kind === 'several') for (const part of target.targets) checkTarget(part, isKnown)
  if (target.kind !== 'index') return
  check(target.object, isKnown)
  check(target.index, isKnown)
}

function checkKnown(name: string, position: Position, isKnown: IsKnown): void {
  if (!isKnown(name)) throw new SourceFault(position, `'${name}' is not known here`)
}

function check(expression: Expression | null, isKnown: IsKnown): void {
  if (expression === null) return
  switch (expression.kind) {
    case 'name':
      checkKnown(expression.name, expression, isKnown)
      return
    case 'lambda':
      checkDefinition(expression.definition, isKnown)
      return
    case 'comprehension':
      checkComprehension(expression.item, expression.clauses, isKnown)
      return
    default:
      for (const part of partsOf(expression)) check(part, isKnown)
  }
}

/** Its own names are seen by all but what the first loop runs over. */
function checkComprehension(item: Expression | Entry, clauses: readonly Clause[], isKnown: IsKnown): void {
  const own = clauses.flatMap((clause) => (clause.kind === 'for' ? namesOf(clause.target) : []))
  const inside = withNames(isKnown, own)
  for (const [index, clause] of clauses.entries()) {
    if (clause.kind === 'if') check(clause.condition, inside)
    else {
      check(clause.items, index === 0 ? isKnown : inside)
      checkTarget(clause.target, inside)
    }
  }
  for (const part of 'key' in item ? [item.key, item.value] : [item]) check(part, inside)
}

function partsOf(
  expression: Exclude<Expression, { readonly kind: 'name' | 'lambda' | 'comprehension' }>,
): readonly (Expression | null)[] {
  switch (expression.kind) {
    case 'integer':
    case 'string':
      return []
    case 'template':
      return expression.parts.flatMap((part) => (typeof part === 'string' ? [] : [part.expression]))
    case 'list':
    case 'tuple':
      return expression.items
    case 'dict':
      return expression.entries.flatMap(({ key, value }) => [key, value])
    case 'call':
      return [expression.callee, ...expression.parameters.map(({ value }) => value)]
    case 'attribute':
      return [expression.object]
    case 'index':
      return [expression.object, expression.index]
    case 'slice':
      return [expression.object, expression.start, expression.stop, expression.step]
    case 'unary':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'conditional':
      return [expression.condition, expression.then, expression.otherwise]
  }
}
