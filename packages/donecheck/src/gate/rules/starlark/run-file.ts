/** Runs the statements of a file. */
import { builtIns } from './built-ins.ts'
import { checkNames } from './check-names.ts'
import { Evaluator } from './evaluate.ts'
import { loopOver } from './items.ts'
import { Machine } from './machine.ts'
import { applyChange } from './operators.ts'
import { assignedIn, parseFile } from './parse-statement.ts'
import { isTrue, type FunctionValue, type Given, type Scope, type Value } from './value.ts'
import { bindParameters } from './bind-parameters.ts'
import type { Definition, Statement } from './syntax.ts'

/** How a block ended. */
type End = 'end' | 'break' | 'continue' | { readonly returned: Value }

/** Functions of the host, beside those of the language. */
export type Host = (machine: Machine) => ReadonlyMap<string, Value>

/** @throws SourceFault for what is not understood, is wrong, or costs too much */
export function runFile(text: string, host: Host): void {
  const machine = new Machine()
  const statements = parseFile(text)
  const running = new Set<Definition>()
  const call = (callee: Value, given: Given): Value => evaluator.call(callee, given)
  const known = new Map([...builtIns(machine, call), ...host(machine)])
  checkNames(statements, (name) => known.has(name))
  const builtInScope: Scope = { owns: new Set(known.keys()), values: known, outer: null }
  const scope: Scope = { owns: new Set(assignedIn(statements)), values: new Map(), outer: builtInScope }
  const evaluator = new Evaluator(machine, callFunction)
  runBlock(statements, scope, evaluator, machine)

  function callFunction(callee: FunctionValue, given: Given): Value {
    const { definition } = callee
    if (running.has(definition))
      throw machine.fault(`'${definition.name}' calls itself: recursion is not understood here`)
    const own: Scope = {
      owns: definition.locals,
      values: bindParameters(callee, given, machine),
      outer: callee.scope,
    }
    running.add(definition)
    try {
      const end = machine.nested(() => runBlock(definition.body, own, evaluator, machine))
      return typeof end === 'object' ? end.returned : null
    } finally {
      running.delete(definition)
    }
  }
}

function runBlock(body: readonly Statement[], scope: Scope, evaluator: Evaluator, machine: Machine): End {
  for (const statement of body) {
    const end = run(statement, scope, evaluator, machine)
    if (end !== 'end') return end
  }
  return 'end'
}

function run(statement: Statement, scope: Scope, evaluator: Evaluator, machine: Machine): End {
  machine.position = statement
  machine.step()
  switch (statement.kind) {
    case 'expression':
      evaluator.evaluate(statement.expression, scope)
      return 'end'
    case 'assign':
      evaluator.assign(statement.target, evaluator.evaluate(statement.value, scope), scope)
      return 'end'
    case 'change':
      change(statement, scope, evaluator, machine)
      return 'end'
    case 'if': {
      const taken = statement.branches.find(
        ({ condition }) => condition === null || isTrue(evaluator.evaluate(condition, scope)),
      )
      return taken === undefined ? 'end' : runBlock(taken.body, scope, evaluator, machine)
    }
    case 'for':
      return runLoop(statement, scope, evaluator, machine)
    case 'def':
      scope.values.set(statement.definition.name, evaluator.define(statement.definition, scope))
      return 'end'
    case 'return':
      return { returned: statement.value === null ? null : evaluator.evaluate(statement.value, scope) }
    case 'pass':
      return 'end'
    case 'break':
    case 'continue':
      return statement.kind
  }
}

function runLoop(
  { target, items, body }: Extract<Statement, { readonly kind: 'for' }>,
  scope: Scope,
  evaluator: Evaluator,
  machine: Machine,
): End {
  let end: End = 'end'
  loopOver(evaluator.evaluate(items, scope), machine, (item) => {
    evaluator.assign(target, item, scope)
    const ended = runBlock(body, scope, evaluator, machine)
    if (typeof ended === 'object') end = ended
    return ended === 'break' || typeof ended === 'object'
  })
  return end
}

/** The place is found once: what stands in its brackets is not evaluated twice. */
function change(
  { target, operator, value }: Extract<Statement, { readonly kind: 'change' }>,
  scope: Scope,
  evaluator: Evaluator,
  machine: Machine,
): void {
  if (target.kind === 'several') throw machine.fault('several values cannot be changed at once')
  const place = evaluator.placeOf(target, scope)
  place.set(applyChange(operator, place.get(), evaluator.evaluate(value, scope), machine))
}
