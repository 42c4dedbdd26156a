/** Expressions, each read into a function that gives its value. */
import { readArguments } from './arguments.ts'
import type { Expression, ExpressionReader } from './expression.ts'
import { readInterpolated } from './interpolated.ts'
import { callMethod } from './methods.ts'
import { binary, contains, indexed, negative, sliced } from './operators.ts'
import { call, readFunction } from './functions.ts'
import { Scope } from './scope.ts'
import { notUnderstood, type Position } from './source-fault.ts'
import { keywords } from './tokens/scan.ts'
import { readTargets } from './targets.ts'
import type { TokenReader } from './tokens/token-reader.ts'
import { compare, Dict, isEqual, isTrue, Tuple, type Value } from './value.ts'

/** Deeper nesting is not read: the reader must not run out of stack. */
const maxDepth = 60

const binaryLevels = [['|'], ['+', '-'], ['*', '//', '%']] as const
const comparisons = ['==', '!=', '<=', '>=', '<', '>'] as const

export class ExpressionParser implements ExpressionReader {
  readonly reader: TokenReader
  readonly bound: Set<string>[] = []
  private depth = 0

  constructor(reader: TokenReader) {
    this.reader = reader
  }

  inside(reader: TokenReader): ExpressionReader {
    const parser = new ExpressionParser(reader)
    parser.bound.push(...this.bound)
    parser.depth = this.depth
    return parser
  }

  readList(endings: readonly string[] = []): Expression {
    const first = this.read()
    if (!this.reader.isAt(',')) return first
    const items = [first]
    while (this.reader.skip(',') && !this.isAtEnd(endings)) items.push(this.read())
    return tupleOf(items)
  }

  private isAtEnd(endings: readonly string[]): boolean {
    return this.reader.next.kind === 'line-end' || ['=', ...endings].some((text) => this.reader.isAt(text))
  }

  read(): Expression {
    return this.nested(() => {
      if (this.reader.isWord('lambda')) return this.readLambda()
      const value = this.readOr()
      if (!this.reader.skipWord('if')) return value
      const condition = this.readOr()
      this.reader.expectWord('else')
      const other = this.read()
      return (scope) => (isTrue(condition(scope)) ? value(scope) : other(scope))
    })
  }

  nested<Read>(read: () => Read): Read {
    if (this.depth === maxDepth)
      throw notUnderstood(this.reader.next, `more than ${maxDepth} levels in one another`, 'leave some out')
    this.depth += 1
    const result = read()
    this.depth -= 1
    return result
  }

  private readLambda(): Expression {
    this.reader.take()
    return readFunction(this, 'lambda', ':', () => {
      const body = this.read()
      return (scope) => ({ value: body(scope) })
    })
  }

  private readOr(): Expression {
    return this.readJoined('or', true, () => this.readJoined('and', false, () => this.readNot()))
  }

  /** The first value that decides, else the last one. */
  private readJoined(word: string, deciding: boolean, read: () => Expression): Expression {
    let all = read()
    while (this.reader.skipWord(word)) {
      const [one, other] = [all, read()]
      all = (scope) => {
        const value = one(scope)
        return isTrue(value) === deciding ? value : other(scope)
      }
    }
    return all
  }

  private readNot(): Expression {
    return this.nested(() => {
      if (!this.reader.skipWord('not')) return this.readComparison()
      const value = this.readNot()
      return (scope) => !isTrue(value(scope))
    })
  }

  private readComparison(): Expression {
    const left = this.readBinary(0)
    const at = this.reader.next
    const isNegated = this.reader.isWord('not') && this.reader.isWord('in', 1)
    if (isNegated) this.reader.take()
    if (this.reader.skipWord('in')) {
      const right = this.readBinary(0)
      return (scope) => contains(right(scope), left(scope), at) !== isNegated
    }
    const sign = comparisons.find((text) => this.reader.skip(text))
    if (sign === undefined) return left
    const right = this.readBinary(0)
    if (sign === '==' || sign === '!=')
      return (scope) => isEqual(left(scope), right(scope)) === (sign === '==')
    return (scope) => {
      const order = compare(left(scope), right(scope), at)
      return sign === '<' ? order < 0 : sign === '>' ? order > 0 : sign === '<=' ? order <= 0 : order >= 0
    }
  }

  private readBinary(level: number): Expression {
    const signs = binaryLevels[level]
    if (signs === undefined) return this.readUnary()
    let left = this.readBinary(level + 1)
    for (;;) {
      const at = this.reader.next
      const sign = signs.find((text) => this.reader.skip(text))
      if (sign === undefined) return left
      const [one, other] = [left, this.readBinary(level + 1)]
      left = (scope) => {
        scope.meter.step(at)
        return binary(sign, one(scope), other(scope), { at, meter: scope.meter })
      }
    }
  }

  private readUnary(): Expression {
    return this.nested(() => {
      const at = this.reader.next
      if (!this.reader.skip('-')) return this.readPostfix()
      const value = this.readUnary()
      return (scope) => negative(value(scope), at)
    })
  }

  private readPostfix(): Expression {
    const at = this.reader.next
    let value = this.readAtom()
    for (;;) {
      const before = value
      if (this.reader.skip('(')) {
        const given = readArguments(this)
        value = (scope) => call(before(scope), given(scope), at, scope)
      } else if (this.reader.skip('[')) value = this.readIndex(before, at)
      else if (this.reader.skip('.')) {
        const name = this.reader.takeName()
        this.reader.expect('(')
        const given = readArguments(this)
        value = (scope) => {
          scope.meter.step(at)
          return callMethod(before(scope), name, given(scope), { at, meter: scope.meter })
        }
      } else return value
    }
  }

  private readIndex(before: Expression, at: Position): Expression {
    const parts: (Expression | null)[] = [this.reader.isAt(':') ? null : this.readList([']'])]
    while (this.reader.skip(':'))
      parts.push(this.reader.isAt(':') || this.reader.isAt(']') ? null : this.read())
    this.reader.expect(']')
    const [index] = parts
    if (parts.length === 1 && index !== null && index !== undefined)
      return (scope) => indexed(before(scope), index(scope), at)
    return (scope) => {
      const bounds = parts.map((part) => part?.(scope) ?? null)
      return scope.meter.made(sliced(before(scope), bounds, at), at)
    }
  }

  private readAtom(): Expression {
    const { reader } = this
    const { next } = reader
    if (reader.skip('(')) return this.readParenthesis()
    if (reader.skip('[')) return this.readItems()
    if (reader.skip('{')) return this.readDict(next)
    if (next.kind === 'f-string') return readInterpolated(this)
    if (next.kind === 'literal') {
      reader.take()
      return () => next.value
    }
    if (next.kind !== 'name' || keywords.has(next.text)) throw reader.unexpected('a value')
    reader.take()
    return (scope) => {
      scope.meter.step(next)
      return scope.valueOf(next.text, next)
    }
  }

  private readParenthesis(): Expression {
    if (this.reader.skip(')')) return tupleOf([])
    const value = this.readList([')'])
    this.reader.expect(')')
    return value
  }

  private readItems(): Expression {
    const at = this.reader.next
    if (this.reader.skip(']')) return () => []
    const names = new Set<string>()
    this.bound.push(names)
    const first = this.read()
    if (this.reader.isWord('for')) {
      const body = (scope: Scope, made: Value[]) => void made.push(scope.meter.made(first(scope), at))
      return this.readClauses<Value[]>(names, ']', () => [], body)
    }
    this.bound.pop()
    const items = [first]
    while (this.reader.skip(',') && !this.reader.isAt(']')) items.push(this.read())
    this.reader.expect(']')
    return (scope) =>
      scope.meter.made(
        items.map((item) => item(scope)),
        at,
      )
  }

  private readDict(at: Position): Expression {
    const entries: ((scope: Scope, made: Dict) => void)[] = []
    const names = new Set<string>()
    this.bound.push(names)
    while (!this.reader.skip('}')) {
      const key = this.read()
      this.reader.expect(':')
      const value = this.read()
      const put = (scope: Scope, made: Dict) => {
        scope.meter.reserve(1, at)
        made.set(key(scope), value(scope), at)
      }
      if (entries.length === 0 && this.reader.isWord('for'))
        return this.readClauses<Dict>(names, '}', () => new Dict(), put)
      entries.push(put)
      if (!this.reader.isAt('}')) this.reader.expect(',')
    }
    this.bound.pop()
    return (scope) => {
      const made = new Dict()
      for (const put of entries) put(scope, made)
      return made
    }
  }

  /** `for … in … if …`, up to and with the closing bracket. */
  private readClauses<Made extends Value>(
    names: ReadonlySet<string>,
    closing: string,
    make: () => Made,
    body: (scope: Scope, made: Made) => void,
  ): Expression {
    type Run = (scope: Scope, made: Made) => void
    const clauses: ((rest: Run) => Run)[] = []
    while (!this.reader.skip(closing)) {
      const at = this.reader.next
      if (this.reader.skipWord('for')) {
        const target = readTargets(this)
        this.reader.expectWord('in')
        const list = this.readOr()
        clauses.push((rest) => (scope, made) => {
          scope.meter.walk(list(scope), at, (item) => {
            target(scope, item)
            rest(scope, made)
            return true
          })
        })
      } else {
        this.reader.expectWord('if')
        const condition = this.readOr()
        clauses.push((rest) => (scope, made) => {
          if (isTrue(condition(scope))) rest(scope, made)
        })
      }
    }
    this.bound.pop()
    const run = clauses.reduceRight<Run>((rest, clause) => clause(rest), body)
    return (scope) => {
      const made = make()
      run(new Scope(scope, scope.meter, names), made)
      return made
    }
  }
}

function tupleOf(items: readonly Expression[]): Expression {
  return (scope) => new Tuple(items.map((item) => item(scope)))
}
