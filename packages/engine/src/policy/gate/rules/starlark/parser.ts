/** Reads a rule file into a function that runs it. */
import { binary, type Expression, ExpressionParser } from './expressions.ts'
import { Scope } from './scope.ts'
import { SourceFault, type Position } from './tokens.ts'
import { type Arguments, isTrue, itemsOf, Tuple, type Value } from './values.ts'

/** How a statement ends; undefined if the next one follows. */
type Ending = undefined | 'break' | 'continue' | { readonly value: Value }
type Statement = (scope: Scope) => Ending

export class Parser extends ExpressionParser {
  #functions = 0
  #loops = 0

  readProgram(): Statement {
    return this.readUntil('file-end')
  }

  protected readUntil(kind: 'file-end' | 'dedent'): Statement {
    const statements: Statement[] = []
    while (this.next.kind !== kind) statements.push(...this.readStatement())
    this.at += 1
    return (scope) => {
      for (const statement of statements) {
        const ending = statement(scope)
        if (ending !== undefined) return ending
      }
      return undefined
    }
  }

  protected readStatement(): readonly Statement[] {
    if (this.next.kind === 'indent')
      throw new SourceFault(this.next, 'a line begins with blanks: begin it as the one above')
    if (this.skip('def')) return [this.readFunction()]
    if (this.skip('for')) return [this.readLoop()]
    if (this.skip('if')) return [this.readCondition()]
    const statements: Statement[] = []
    do statements.push(this.readSmall())
    while (this.skip(';') && this.next.kind !== 'line-end')
    if (this.next.kind !== 'line-end') throw this.unexpected('the end of the line')
    this.at += 1
    return statements
  }

  protected readBlock(): Statement {
    this.expect(':')
    if (this.next.kind !== 'line-end') {
      const line = this.readStatement()
      return (scope) => line.map((statement) => statement(scope)).find((ending) => ending !== undefined)
    }
    this.at += 1
    if (!this.skipIndent()) throw this.unexpected('an indented block')
    return this.nested(() => this.readUntil('dedent'))
  }

  protected readSmall(): Statement {
    const at = this.next
    if (this.isAt('load'))
      throw new SourceFault(
        at,
        "'load' is not understood here: Codex loads no other files, copy what is needed into this one",
      )
    if (this.skip('pass')) return () => undefined
    if (this.skip('return')) {
      if (this.#functions === 0) throw new SourceFault(at, "'return' outside of a function")
      const value = this.next.kind === 'line-end' ? () => null : this.readList()
      return (scope) => ({ value: value(scope) })
    }
    for (const word of ['break', 'continue'] as const)
      if (this.skip(word)) {
        if (this.#loops === 0) throw new SourceFault(at, `'${word}' outside of a loop`)
        return () => word
      }
    return this.readAssignment()
  }

  protected readAssignment(): Statement {
    const at = this.next
    const mark = this.at
    const value = this.readList()
    const sign = ['+=', '-=', '*=', '//=', '%=', '|='].find((text) => this.isAt(text))
    if (!this.isAt('=') && sign === undefined) return (scope) => void value(scope)
    // What was read as a value is what gets one: it is read again as that.
    this.at = mark
    const target = this.readTargets()
    this.expect(sign ?? '=')
    const right = this.readList()
    return (scope) => {
      target(
        scope,
        sign === undefined ? right(scope) : binary(sign.slice(0, -1), value(scope), right(scope), at, scope),
      )
      return undefined
    }
  }

  protected readLoop(): Statement {
    const at = this.next
    const target = this.readTargets()
    this.expect('in')
    const list = this.readList()
    this.#loops += 1
    const body = this.readBlock()
    this.#loops -= 1
    return (scope) => {
      for (const item of [...itemsOf(list(scope), at)]) {
        scope.meter.step(at)
        target(scope, item)
        const ending = body(scope)
        if (ending === 'break') return undefined
        if (typeof ending === 'object') return ending
      }
      return undefined
    }
  }

  protected readCondition(): Statement {
    const condition = this.read()
    const body = this.readBlock()
    const other = this.skip('elif') ? this.readCondition() : this.skip('else') ? this.readBlock() : undefined
    return (scope) => (isTrue(condition(scope)) ? body(scope) : other?.(scope))
  }

  /** `def name(a, b = 1, *rest): …` */
  protected readFunction(): Statement {
    const name = this.takeName()
    this.expect('(')
    const parameters: {
      readonly name: string
      readonly isRest: boolean
      readonly standard: Expression | undefined
    }[] = []
    while (!this.skip(')')) {
      const isRest = this.skip('*')
      const parameter = this.takeName()
      if (this.skip(':')) this.takeName()
      parameters.push({ name: parameter, isRest, standard: this.skip('=') ? this.read() : undefined })
      if (!this.isAt(')')) this.expect(',')
    }
    if (this.skip('->')) this.at += 1
    const loops = this.#loops
    this.#loops = 0
    this.#functions += 1
    const body = this.readBlock()
    this.#functions -= 1
    this.#loops = loops
    return (scope) => {
      const standards = parameters.map(({ standard }) => standard?.(scope))
      const call = ({ values, named }: Arguments, at: Position): Value => {
        const inner = new Scope(scope, scope.meter)
        const [left, rest] = [[...values], new Map(named)]
        for (const [index, one] of parameters.entries()) {
          const value = one.isRest
            ? new Tuple(left.splice(0))
            : (left.shift() ?? rest.get(one.name) ?? standards[index])
          if (value === undefined) throw new SourceFault(at, `${name} wants '${one.name}'`)
          rest.delete(one.name)
          inner.bind(one.name, value)
        }
        const [unknown] = rest.keys()
        if (unknown !== undefined) throw new SourceFault(at, `no parameter is named '${unknown}'`)
        if (left.length > 0) throw new SourceFault(at, `${name} is given ${left.length} arguments too many`)
        const ending = scope.meter.nested(at, () => body(inner))
        return typeof ending === 'object' ? ending.value : null
      }
      scope.bind(name, { kind: 'function', name, call })
      return undefined
    }
  }
}
