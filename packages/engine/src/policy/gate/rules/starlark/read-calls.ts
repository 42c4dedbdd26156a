/** Runs a rule file like Codex: a subset of Starlark without files, clock or network, with limited work. */
import { type Position, RuleFault } from '../rule.ts'
import { type Expression, ExpressionReader, Scope, sum } from './expressions.ts'
import { type Arguments, type Callable, functions, isTrue, Tuple, type Value } from './values.ts'

export interface Call extends Position, Arguments {
  readonly name: string
}

/** @returns calls of these functions, in order @throws {RuleFault} */
export function readCalls(text: string, names: readonly string[]): readonly Call[] {
  const program = new ProgramReader(text).readProgram()
  const calls: Call[] = []
  const universe = new Scope()
  for (const [name, value] of [['True', true], ['False', false], ['None', null]] as const) universe.bind(name, value) // prettier-ignore
  const define = (name: string, call: Callable['call']) => universe.bind(name, { call })
  for (const [name, run] of Object.entries(functions))
    define(name, ({ values, named }, at) => {
      const result = named.size > 0 ? undefined : run(values, at)
      if (result === undefined) throw new RuleFault(`'${name}' is not understood with these arguments`, at)
      return result
    })
  for (const name of names)
    define(name, ({ values, named }, { line, column }) => {
      const kept = new Map([...named].map(([key, value]) => [key, copyOf(value)]))
      calls.push({ name, line, column, values: values.map(copyOf), named: kept })
      return null
    })
  program(new Scope(universe))
  return calls
}

/** A list may change after the call. */
function copyOf(value: Value): Value {
  return Array.isArray(value) ? value.map(copyOf) : value
}

/** End of a statement; undefined to continue with the next. */
type Ending = undefined | 'break' | 'continue' | { readonly value: Value }
type Statement = (scope: Scope) => Ending

interface Parameter {
  readonly name: string
  readonly isRest: boolean
  readonly standard: Expression | undefined
}

class ProgramReader extends ExpressionReader {
  #functions = 0
  #loops = 0

  readProgram(): Statement {
    return this.#readUntil('file-end')
  }

  #readUntil(kind: 'file-end' | 'dedent'): Statement {
    const statements: Statement[] = []
    while (this.next.kind !== kind) statements.push(...this.#readStatement())
    this.at += 1
    return inOrder(statements)
  }

  #readStatement(): readonly Statement[] {
    if (this.next.kind === 'indent')
      throw new RuleFault('a line begins with blanks: begin it as the one above', this.next)
    if (this.skip('def')) return [this.#readFunction()]
    if (this.skip('for')) return [this.#readLoop()]
    if (this.skip('if')) return [this.#readCondition()]
    const statements: Statement[] = []
    do statements.push(this.#readSmall())
    while (this.skip(';') && this.next.kind !== 'line-end')
    if (this.next.kind !== 'line-end') throw this.unexpected('the end of the line')
    this.at += 1
    return statements
  }

  #readBlock(): Statement {
    this.expect(':')
    if (this.next.kind !== 'line-end') return inOrder(this.#readStatement())
    this.at += 1
    if (!this.skipIndent()) throw this.unexpected('an indented block')
    return this.nested(() => this.#readUntil('dedent'))
  }

  #readSmall(): Statement {
    const at = this.next
    if (this.isAt('load'))
      throw new RuleFault(
        "'load' is not understood here: Codex loads no other files, copy what is needed into this one",
        at,
      )
    if (this.skip('pass')) return () => undefined
    if (this.skip('return')) {
      if (this.#functions === 0) throw new RuleFault("'return' outside of a function", at)
      const value = this.next.kind === 'line-end' ? () => null : this.readList()
      return (scope) => ({ value: value(scope) })
    }
    for (const word of ['break', 'continue'] as const)
      if (this.skip(word)) {
        if (this.#loops === 0) throw new RuleFault(`'${word}' outside of a loop`, at)
        return () => word
      }
    return this.#readAssignment()
  }

  #readAssignment(): Statement {
    const at = this.next
    const mark = this.at
    const value = this.readList()
    const isAdding = this.isAt('+=')
    if (!this.isAt('=') && !isAdding) return (scope) => void value(scope)
    // The value turned out to be a target, so it is parsed again.
    this.at = mark
    const target = this.readTargets()
    this.expect(isAdding ? '+=' : '=')
    const right = this.readList()
    return (scope) => {
      target(scope, isAdding ? sum(value(scope), right(scope), at, scope) : right(scope))
      return undefined
    }
  }

  #readLoop(): Statement {
    const each = this.readEach(() => this.readList())
    this.#loops += 1
    const body = this.#readBlock()
    this.#loops -= 1
    return (scope) => {
      let ending: Ending
      each(scope, () => {
        ending = body(scope)
        return ending === undefined || ending === 'continue'
      })
      return typeof ending === 'object' ? ending : undefined
    }
  }

  #readCondition(): Statement {
    const condition = this.read()
    const body = this.#readBlock()
    const other = this.skip('elif')
      ? this.#readCondition()
      : this.skip('else')
        ? this.#readBlock()
        : undefined
    return (scope) => (isTrue(condition(scope)) ? body(scope) : other?.(scope))
  }

  /** `def name(a, b = 1, *rest): …`; types are ignored. */
  #readFunction(): Statement {
    const name = this.takeName()
    const parameters = this.#readParameters()
    const loops = this.#loops
    this.#loops = 0
    this.#functions += 1
    const body = this.#readBlock()
    this.#functions -= 1
    this.#loops = loops
    return (scope) => {
      const standards = parameters.map(({ standard }) => standard?.(scope))
      const call = (given: Arguments, at: Position): Value => {
        const inner = new Scope(scope)
        for (const [parameter, value] of bound({ name, parameters, standards }, given, at))
          inner.bind(parameter, value)
        const ending = scope.nested(at, () => body(inner))
        return typeof ending === 'object' ? ending.value : null
      }
      scope.bind(name, { call })
      return undefined
    }
  }

  #readParameters(): readonly Parameter[] {
    const parameters: Parameter[] = []
    this.expect('(')
    while (!this.skip(')')) {
      const isRest = this.skip('*')
      const name = this.takeName()
      if (this.skip(':')) this.takeName()
      parameters.push({ name, isRest, standard: this.skip('=') ? this.read() : undefined })
      if (!this.isAt(')')) this.expect(',')
    }
    if (this.skip('->')) this.at += 1
    return parameters
  }
}

interface Signature {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly standards: readonly (Value | undefined)[]
}

function bound(
  { name, parameters, standards }: Signature,
  { values, named }: Arguments,
  at: Position,
): readonly (readonly [string, Value])[] {
  const [left, rest] = [[...values], new Map(named)]
  const all = parameters.map(({ name: parameter, isRest }, index): [string, Value] => {
    const value = isRest
      ? new Tuple(left.splice(0))
      : left.length > 0
        ? left.shift()
        : (rest.get(parameter) ?? standards[index])
    if (value === undefined) throw new RuleFault(`${name} wants '${parameter}'`, at)
    rest.delete(parameter)
    return [parameter, value]
  })
  const [unknown] = rest.keys()
  if (unknown !== undefined) throw new RuleFault(`no parameter is named '${unknown}'`, at)
  if (left.length > 0) throw new RuleFault(`${name} is given ${left.length} arguments too many`, at)
  return all
}

function inOrder(statements: readonly Statement[]): Statement {
  return (scope) => {
    for (const statement of statements) {
      const ending = statement(scope)
      if (ending !== undefined) return ending
    }
    return undefined
  }
}
