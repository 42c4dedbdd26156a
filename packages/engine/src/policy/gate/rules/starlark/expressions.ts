/** Expressions of a rule file, each read into a function that gives its value. */
import { Scope } from './scope.ts'
import { TokenReader } from './token-reader.ts'
import { keywords, SourceFault, type Position } from './tokens.ts'
import {
  type Arguments,
  callMethod,
  compare,
  Dict,
  formatPercent,
  isEqual,
  isTrue,
  itemsOf,
  keyOf,
  textOf,
  Tuple,
  typeOf,
  type Value,
} from './values.ts'

export type Expression = (scope: Scope) => Value
type Target = (scope: Scope, value: Value) => void

const comparisons = ['==', '!=', '<=', '>=', '<', '>'] as const
const binaryLevels = [['|'], ['+', '-'], ['*', '//', '%']] as const

export class ExpressionParser extends TokenReader {
  /** Several with commas are a tuple. */
  protected readList(): Expression {
    const items = [this.read()]
    const [first] = items
    if (!this.isAt(',') && first !== undefined) return first
    const isEnd = () => this.next.kind === 'line-end' || ['=', ')', ']', ':'].some((text) => this.isAt(text))
    while (this.skip(',') && !isEnd()) items.push(this.read())
    return (scope) => new Tuple(items.map((item) => item(scope)))
  }

  protected read(): Expression {
    return this.nested(() => {
      const value = this.readOr()
      if (!this.skip('if')) return value
      const condition = this.readOr()
      this.expect('else')
      const other = this.read()
      return (scope) => (isTrue(condition(scope)) ? value(scope) : other(scope))
    })
  }

  protected readOr(): Expression {
    return this.readJoined('or', true, () => this.readJoined('and', false, () => this.readNot()))
  }

  /** The first value that decides, else the last one. */
  protected readJoined(word: string, isDeciding: boolean, read: () => Expression): Expression {
    let all = read()
    while (this.skip(word)) {
      const [one, other] = [all, read()]
      all = (scope) => {
        const value = one(scope)
        return isTrue(value) === isDeciding ? value : other(scope)
      }
    }
    return all
  }

  protected readNot(): Expression {
    return this.nested(() => {
      if (!this.skip('not')) return this.readComparison()
      const value = this.readNot()
      return (scope) => !isTrue(value(scope))
    })
  }

  protected readComparison(): Expression {
    const left = this.readBinary(0)
    const at = this.next
    const isNegated = this.isAt('not') && this.isAt('in', 1)
    if (isNegated) this.at += 1
    if (this.skip('in')) {
      const right = this.readBinary(0)
      return (scope) => contains(right(scope), left(scope), at) !== isNegated
    }
    const sign = comparisons.find((text) => this.skip(text))
    if (sign === undefined) return left
    const right = this.readBinary(0)
    if (sign === '==' || sign === '!=')
      return (scope) => isEqual(left(scope), right(scope)) === (sign === '==')
    return (scope) => {
      const order = compare(left(scope), right(scope), at)
      return sign === '<' ? order < 0 : sign === '>' ? order > 0 : sign === '<=' ? order <= 0 : order >= 0
    }
  }

  protected readBinary(level: number): Expression {
    const signs = binaryLevels[level]
    if (signs === undefined) return this.readPostfix()
    let left = this.readBinary(level + 1)
    for (;;) {
      const at = this.next
      const sign = signs.find((text) => this.skip(text))
      if (sign === undefined) return left
      const [one, other] = [left, this.readBinary(level + 1)]
      left = (scope) => binary(sign, one(scope), other(scope), at, scope)
    }
  }

  protected readPostfix(): Expression {
    const at = this.next
    if (this.skip('-')) {
      const value = this.nested(() => this.readPostfix())
      return (scope) => binary('-', 0, value(scope), at, scope)
    }
    let value = this.readAtom()
    for (;;) {
      const before = value
      if (this.skip('(')) {
        const given = this.readArguments()
        value = (scope) => {
          scope.meter.step(at)
          const callee = before(scope)
          if (typeof callee !== 'object' || callee === null || !('call' in callee))
            throw new SourceFault(at, `a ${typeOf(callee)} cannot be called`)
          return scope.meter.made(callee.call(given(scope), at), at)
        }
      } else if (this.skip('[')) value = this.readIndex(before, at)
      else if (this.skip('.')) {
        const name = this.takeName()
        this.expect('(')
        const given = this.readArguments()
        value = (scope) => {
          scope.meter.step(at)
          const held = before(scope)
          const result = callMethod(held, name, given(scope), at)
          if (result === undefined)
            throw new SourceFault(at, `a ${typeOf(held)} has no '${name}' that is understood here`)
          return scope.meter.made(result, at)
        }
      } else return value
    }
  }

  protected readArguments(): (scope: Scope) => Arguments {
    const parts: {
      readonly name: string | undefined
      readonly isRest: boolean
      readonly value: Expression
      readonly at: Position
    }[] = []
    while (!this.skip(')')) {
      const at = this.next
      const isRest = this.skip('*')
      const name = at.kind === 'name' && this.isAt('=', 1) ? this.takeName() : undefined
      if (name !== undefined) this.at += 1
      else if (parts.some((part) => part.name !== undefined))
        throw new SourceFault(at, 'an argument without a name behind one with a name')
      parts.push({ name, isRest, value: this.read(), at })
      if (!this.isAt(')')) this.expect(',')
    }
    return (scope) => {
      const values: Value[] = []
      const named = new Map<string, Value>()
      for (const { name, isRest, value, at } of parts) {
        if (name !== undefined && named.has(name)) throw new SourceFault(at, `'${name}' is given twice`)
        if (name !== undefined) named.set(name, value(scope))
        else values.push(...(isRest ? itemsOf(value(scope), at) : [value(scope)]))
      }
      return { values, named }
    }
  }

  protected readIndex(before: Expression, at: Position): Expression {
    const from = this.isAt(':') ? undefined : this.readList()
    if (from !== undefined && this.skip(']')) return (scope) => indexed(before(scope), from(scope), at)
    this.expect(':')
    const to = this.isAt(']') ? undefined : this.read()
    this.expect(']')
    return (scope) => {
      const [value, start, end] = [before(scope), from?.(scope) ?? 0, to?.(scope) ?? undefined]
      if (typeof start !== 'number' || (end !== undefined && typeof end !== 'number'))
        throw new SourceFault(at, 'the bounds of a slice must be numbers')
      if (typeof value === 'string') return Array.from(value).slice(start, end).join('')
      const items = itemsOf(value, at).slice(start, end)
      return scope.meter.made(value instanceof Tuple ? new Tuple(items) : items, at)
    }
  }

  protected readAtom(): Expression {
    const next = this.next
    if (this.skip('(')) {
      if (this.skip(')')) return () => new Tuple([])
      const value = this.readList()
      this.expect(')')
      return value
    }
    if (this.skip('[')) return this.readItems(next)
    if (this.skip('{')) return this.readDict(next)
    if (next.kind === 'f-string') return this.readInterpolated(next, next.value)
    if (next.kind === 'literal') {
      this.at += 1
      return () => next.value
    }
    if (next.kind !== 'name' || keywords.has(next.text)) throw this.unexpected('a value')
    this.at += 1
    return (scope) => scope.valueOf(next.text, next)
  }

  protected readItems(at: Position): Expression {
    if (this.skip(']')) return () => []
    const items = [this.read()]
    const [first = () => null] = items
    if (this.isAt('for'))
      return this.readClauses(']', (scope, made) => {
        made.push(scope.meter.made(first(scope), at))
      })
    while (this.skip(',') && !this.isAt(']')) items.push(this.read())
    this.expect(']')
    return (scope) =>
      scope.meter.made(
        items.map((item) => item(scope)),
        at,
      )
  }

  protected readDict(at: Position): Expression {
    const entries: (readonly [Expression, Expression])[] = []
    while (!this.skip('}')) {
      const key = this.read()
      this.expect(':')
      entries.push([key, this.read()])
      if (!this.isAt('}')) this.expect(',')
    }
    return (scope) => {
      const made = new Dict()
      for (const [key, value] of entries) made.set(key(scope), value(scope), at)
      return made
    }
  }

  /** `for … in … if …`, up to and with the closing bracket. */
  protected readClauses(closing: string, body: (scope: Scope, made: Value[]) => void): Expression {
    type Run = (scope: Scope, made: Value[]) => void
    const clauses: ((rest: Run) => Run)[] = []
    while (!this.skip(closing)) {
      const at = this.next
      if (this.skip('for')) {
        const target = this.readTargets()
        this.expect('in')
        const list = this.readOr()
        clauses.push((rest) => (scope, made) => {
          for (const item of [...itemsOf(list(scope), at)]) {
            scope.meter.step(at)
            target(scope, item)
            rest(scope, made)
          }
        })
      } else {
        this.expect('if')
        const condition = this.readOr()
        clauses.push((rest) => (scope, made) => {
          if (isTrue(condition(scope))) rest(scope, made)
        })
      }
    }
    const run = clauses.reduceRight<Run>((rest, clause) => clause(rest), body)
    return (scope) => {
      const made: Value[] = []
      run(new Scope(scope, scope.meter), made)
      return made
    }
  }

  /** An f-string: what stands in its braces is read as an expression of its own. */
  protected readInterpolated(at: Position, source: string): Expression {
    this.at += 1
    const parts = [...source.matchAll(/\{\{|\}\}|\{([^{}]*?)(![rs])?\}|[{}]|[^{}]+/g)].map(
      ([all, inside, conversion]): Expression => {
        if (all === '{{' || all === '}}') return () => all.charAt(0)
        if (all === '{' || all === '}') throw new SourceFault(at, `a '${all}' in an f-string has no partner`)
        if (inside === undefined) return () => all
        const value = this.nested(() => readInside(inside, at))
        return (scope) => textOf(value(scope), conversion === '!r')
      },
    )
    return (scope) => scope.meter.made(parts.map((part) => textOf(part(scope))).join(''), at)
  }

  /** Reads the whole text as one expression. @throws {SourceFault} */
  readExpression(): Expression {
    const value = this.readList()
    if (this.next.kind !== 'line-end') throw this.unexpected("the '}' of the f-string")
    return value
  }

  protected readTargets(): Target {
    const at = this.next
    const targets = [this.readTarget()]
    const [only] = targets
    if (!this.isAt(',') && only !== undefined) return only
    while (this.skip(',') && !this.isAt('=') && !this.isAt('in')) targets.push(this.readTarget())
    return (scope, value) => {
      const items = itemsOf(value, at)
      if (items.length !== targets.length)
        throw new SourceFault(at, `${targets.length} names for ${items.length} values`)
      for (const [index, target] of targets.entries()) target(scope, items[index] ?? null)
    }
  }

  protected readTarget(): Target {
    const at = this.next
    if (this.skip('(')) {
      const inner = this.nested(() => this.readTargets())
      this.expect(')')
      return inner
    }
    const name = this.takeName()
    if (!this.skip('[')) return (scope, value) => scope.bind(name, value)
    const index = this.read()
    this.expect(']')
    return (scope, value) => {
      const held = scope.valueOf(name, at)
      if (held instanceof Dict) held.set(index(scope), value, at)
      else if (Array.isArray(held)) held[placeIn(held.length, index(scope), at)] = value
      else throw new SourceFault(at, `an item of a ${typeOf(held)} cannot be set`)
    }
  }
}

/** All faults of it have the position of the f-string. */
function readInside(text: string, at: Position): Expression {
  try {
    return new ExpressionParser(text.trim()).readExpression()
  } catch (error) {
    throw error instanceof SourceFault ? new SourceFault(at, error.message) : error
  }
}

export function binary(sign: string, one: Value, other: Value, at: Position, scope: Scope): Value {
  scope.meter.step(at)
  if (typeof one === 'number' && typeof other === 'number') {
    if ((sign === '%' || sign === '//') && other === 0) throw new SourceFault(at, 'a division by zero')
    const quotient = Math.floor(one / other)
    const results: Readonly<Record<string, number>> = {
      '+': one + other,
      '-': one - other,
      '*': one * other,
      '//': quotient,
      '%': one - other * quotient,
    }
    const result = results[sign]
    if (result !== undefined && Number.isSafeInteger(result)) return result
  }
  if (sign === '%' && typeof one === 'string') return scope.meter.made(formatPercent(one, other, at), at)
  if (sign === '*' && typeof one === 'string' && typeof other === 'number') {
    scope.meter.reserve(one.length * Math.max(0, other), at)
    return one.repeat(Math.max(0, other))
  }
  if (sign === '+' && typeof one === 'string' && typeof other === 'string')
    return scope.meter.made(one + other, at)
  if (sign === '+' && Array.isArray(one) && Array.isArray(other))
    return scope.meter.made([...one, ...other], at)
  if (sign === '+' && one instanceof Tuple && other instanceof Tuple)
    return scope.meter.made(new Tuple([...one.items, ...other.items]), at)
  throw new SourceFault(at, `'${sign}' is not understood between ${typeOf(one)} and ${typeOf(other)}`)
}

function contains(within: Value, wanted: Value, at: Position): boolean {
  if (typeof within === 'string' && typeof wanted === 'string') return within.includes(wanted)
  return itemsOf(within, at).some((item) => isEqual(item, wanted))
}

function indexed(value: Value, index: Value, at: Position): Value {
  if (value instanceof Dict) {
    const found = value.entries.get(keyOf(index, at))
    if (found === undefined) throw new SourceFault(at, `the dict has no ${textOf(index, true).slice(0, 80)}`)
    return found
  }
  const items = typeof value === 'string' ? Array.from(value) : itemsOf(value, at)
  return items[placeIn(items.length, index, at)] ?? null
}

function placeIn(length: number, index: Value, at: Position): number {
  const place = typeof index === 'number' && index < 0 ? index + length : index
  if (typeof place !== 'number' || place < 0 || place >= length)
    throw new SourceFault(at, `there is no item ${textOf(index, true).slice(0, 80)} of ${length}`)
  return place
}
