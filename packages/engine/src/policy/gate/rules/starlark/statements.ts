/** Statements, each read into a function that runs it. */
import type { Expression } from './expression.ts'
import { ExpressionParser } from './expressions.ts'
import { readFunction, type Ending } from './functions.ts'
import { binary } from './operators.ts'
import type { Scope } from './scope.ts'
import { notUnderstood, SourceFault } from './source-fault.ts'
import { readTargets } from './targets.ts'
import { TokenReader } from './tokens/token-reader.ts'
import { isTrue } from './value.ts'

type Statement = (scope: Scope) => Ending

const augmented = ['+=', '-=', '*=', '//=', '%=', '|='] as const

/** @throws SourceFault */
export function readProgram(text: string): Statement {
  const parser = new StatementParser(new TokenReader(text))
  return parser.readUntil('file-end')
}

class StatementParser {
  private readonly reader: TokenReader
  private readonly expressions: ExpressionParser
  private functions = 0
  private loops = 0

  constructor(reader: TokenReader) {
    this.reader = reader
    this.expressions = new ExpressionParser(reader)
  }

  readUntil(kind: 'file-end' | 'dedent'): Statement {
    const statements: Statement[] = []
    while (this.reader.next.kind !== kind) statements.push(...this.readStatement())
    this.reader.take()
    return sequence(statements)
  }

  private readStatement(): readonly Statement[] {
    const { reader } = this
    if (reader.next.kind === 'indent')
      throw new SourceFault(reader.next, 'a line begins with blanks: begin it as the one above')
    if (reader.skipWord('def')) return [this.readFunction()]
    if (reader.skipWord('for')) return [this.readLoop()]
    if (reader.skipWord('if')) return [this.readCondition()]
    return this.readLine()
  }

  private readLine(): readonly Statement[] {
    const statements: Statement[] = []
    do statements.push(this.readSmall())
    while (this.reader.skip(';') && this.reader.next.kind !== 'line-end')
    if (this.reader.next.kind !== 'line-end') throw this.reader.unexpected('the end of the line')
    this.reader.take()
    return statements
  }

  private readBlock(): Statement {
    this.reader.expect(':')
    if (!this.reader.skipKind('line-end')) return sequence(this.readLine())
    if (!this.reader.skipKind('indent')) throw this.reader.unexpected('an indented block')
    return this.expressions.nested(() => this.readUntil('dedent'))
  }

  private readFunction(): Statement {
    const name = this.reader.takeName()
    this.reader.expect('(')
    this.functions += 1
    const loops = this.loops
    this.loops = 0
    this.expressions.bound.at(-1)?.add(name)
    const made = readFunction(this.expressions, name, ')', () => {
      if (this.reader.skip('->')) this.reader.takeName()
      return this.readBlock()
    })
    this.functions -= 1
    this.loops = loops
    return (scope) => {
      scope.bind(name, made(scope))
      return undefined
    }
  }

  private readLoop(): Statement {
    const at = this.reader.next
    const target = readTargets(this.expressions)
    this.reader.expectWord('in')
    const list = this.expressions.readList([':'])
    this.loops += 1
    const body = this.readBlock()
    this.loops -= 1
    return (scope) => {
      let ending: Ending
      scope.meter.walk(list(scope), at, (item) => {
        target(scope, item)
        ending = body(scope)
        return ending === undefined || ending === 'continue'
      })
      return typeof ending === 'object' ? ending : undefined
    }
  }

  private readCondition(): Statement {
    const condition = this.expressions.read()
    const body = this.readBlock()
    const { reader } = this
    const other = reader.skipWord('elif')
      ? this.readCondition()
      : reader.skipWord('else')
        ? this.readBlock()
        : undefined
    return (scope) => (isTrue(condition(scope)) ? body(scope) : other?.(scope))
  }

  private readSmall(): Statement {
    const { reader } = this
    const at = reader.next
    if (reader.isWord('load'))
      throw notUnderstood(at, "'load'", 'Codex loads no other files, copy what is needed into this one')
    if (reader.skipWord('pass')) return () => undefined
    if (reader.skipWord('return')) {
      if (this.functions === 0) throw new SourceFault(at, "'return' outside of a function")
      const value = reader.next.kind === 'line-end' ? () => null : this.expressions.readList()
      return (scope) => ({ value: value(scope) })
    }
    for (const word of ['break', 'continue'] as const)
      if (reader.skipWord(word)) {
        if (this.loops === 0) throw new SourceFault(at, `'${word}' outside of a loop`)
        return () => word
      }
    return this.readAssignment()
  }

  private readAssignment(): Statement {
    const { reader, expressions } = this
    const at = reader.next
    const mark = reader.mark()
    const value = expressions.readList()
    const sign = augmented.find((text) => reader.isAt(text))
    if (!reader.isAt('=') && sign === undefined) return (scope) => void value(scope)
    // What was read as a value is what gets one: it is read again as that.
    reader.reset(mark)
    const target = readTargets(expressions)
    if (!reader.skip('=')) {
      if (sign === undefined || !reader.skip(sign)) throw reader.unexpected('what gets a value')
      const other = expressions.readList()
      const operator = sign.slice(0, -1)
      return (scope) => {
        const context = { at, meter: scope.meter, isInPlace: true }
        target(scope, binary(operator, value(scope), other(scope), context))
        return undefined
      }
    }
    const right: Expression = expressions.readList()
    return (scope) => {
      target(scope, right(scope))
      return undefined
    }
  }
}

function sequence(statements: readonly Statement[]): Statement {
  return (scope) => {
    for (const statement of statements) {
      const ending = statement(scope)
      if (ending !== undefined) return ending
    }
    return undefined
  }
}
