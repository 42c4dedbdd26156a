/** Expressions of a rule file, each read into a function that gives its value. */
import { type Position, RuleFault } from '../rule.ts'
import { keywords, TokenReader } from './tokens.ts'
import {
  type Arguments,
  callMethod,
  compare,
  isEqual,
  isTrue,
  itemsOf,
  type Key,
  keyOf,
  textOf,
  Tuple,
  typeOf,
  type Value,
} from './values.ts'

/** What one file may do: each step, character and item of a value counts one. */
const maxSteps = 500_000
/** Calls within calls: the reader must not run out of stack. */
const maxCalls = 50

/** Where names have their values. */
export class Scope {
  readonly meter: { steps: number; calls: number }
  readonly #values = new Map<string, Value>()
  readonly #parent: Scope | undefined

  constructor(parent?: Scope) {
    this.#parent = parent
    this.meter = parent?.meter ?? { steps: 0, calls: 0 }
  }

  bind(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  valueOf(name: string, at: Position): Value {
    const value = this.#values.get(name) ?? this.#parent?.valueOf(name, at)
    if (value === undefined && !this.#values.has(name)) throw new RuleFault(`'${name}' has no value here`, at)
    return value ?? null
  }

  /** @throws {RuleFault} where the file does too much */
  step(at: Position, count = 1): void {
    this.meter.steps += count
    if (this.meter.steps > maxSteps)
      throw new RuleFault(`more than ${maxSteps} steps, characters and items`, at)
  }

  /** A value that was made counts with all that is in it. */
  made<Made extends Value>(value: Made, at: Position): Made {
    this.step(at, typeof value === 'string' ? value.length : 1)
    if (Array.isArray(value) || value instanceof Tuple || value instanceof Map)
      for (const item of itemsOf(value, at)) this.made(item, at)
    return value
  }

  nested<Result>(at: Position, run: () => Result): Result {
    if (this.meter.calls === maxCalls) throw new RuleFault(`more than ${maxCalls} calls in one another`, at)
    this.meter.calls += 1
    const result = run()
    this.meter.calls -= 1
    return result
  }
}

export type Expression = (scope: Scope) => Value
type Target = (scope: Scope, value: Value) => void

const comparisons = ['==', '!=', '<=', '>=', '<', '>'] as const
const otherSigns = ['-', '*', '/', '//', '%', '|', '**']

export class ExpressionReader extends TokenReader {
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
  private readJoined(word: string, isDeciding: boolean, read: () => Expression): Expression {
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

  private readNot(): Expression {
    return this.nested(() => {
      if (!this.skip('not')) return this.readComparison()
      const value = this.readNot()
      return (scope) => !isTrue(value(scope))
    })
  }

  private readComparison(): Expression {
    const left = this.readSum()
    const at = this.next
    const isNegated = this.isAt('not') && this.isAt('in', 1)
    if (isNegated) this.at += 1
    if (this.skip('in')) {
      const right = this.readSum()
      return (scope) => contains(right(scope), left(scope), at) !== isNegated
    }
    const sign = comparisons.find((text) => this.skip(text))
    if (sign === undefined) return left
    const right = this.readSum()
    if (sign === '==' || sign === '!=')
      return (scope) => isEqual(left(scope), right(scope)) === (sign === '==')
    return (scope) => {
      const order = compare(left(scope), right(scope), at)
      return sign === '<' ? order < 0 : sign === '>' ? order > 0 : sign === '<=' ? order <= 0 : order >= 0
    }
  }

  private readSum(): Expression {
    let left = this.readPostfix()
    for (;;) {
      const at = this.next
      const other = otherSigns.find((text) => this.isAt(text))
      if (other !== undefined) throw new RuleFault(`'${other}' is not understood here`, at)
      if (!this.skip('+')) return left
      const [one, right] = [left, this.readPostfix()]
      left = (scope) => sum(one(scope), right(scope), at, scope)
    }
  }

  private readPostfix(): Expression {
    const at = this.next
    let value = this.readAtom()
    for (;;) {
      const before = value
      if (this.skip('(')) {
        const given = this.readArguments()
        value = (scope) => {
          scope.step(at)
          const callee = before(scope)
          if (typeof callee !== 'object' || callee === null || !('call' in callee))
            throw new RuleFault(`a ${typeOf(callee)} cannot be called`, at)
          return scope.made(callee.call(given(scope), at), at)
        }
      } else if (this.skip('[')) {
        const index = this.readList()
        if (this.isAt(':')) throw new RuleFault('a slice is not understood here', at)
        this.expect(']')
        value = (scope) => indexed(before(scope), index(scope), at)
      } else if (this.skip('.')) value = this.readMethod(before, at)
      else return value
    }
  }

  private readMethod(before: Expression, at: Position): Expression {
    const name = this.takeName()
    this.expect('(')
    const given = this.readArguments()
    return (scope) => {
      scope.step(at)
      const held = before(scope)
      const { values, named } = given(scope)
      const result = named.size > 0 ? undefined : callMethod(held, name, values, at)
      if (result !== undefined) return scope.made(result, at)
      throw new RuleFault(`a ${typeOf(held)} has no '${name}' that is understood here`, at)
    }
  }

  private readArguments(): (scope: Scope) => Arguments {
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
        throw new RuleFault('an argument without a name behind one with a name', at)
      parts.push({ name, isRest, value: this.read(), at })
      if (!this.isAt(')')) this.expect(',')
    }
    return (scope) => {
      const values: Value[] = []
      const named = new Map<string, Value>()
      for (const { name, isRest, value, at } of parts) {
        if (name !== undefined && named.has(name)) throw new RuleFault(`'${name}' is given twice`, at)
        if (name !== undefined) named.set(name, value(scope))
        else values.push(...(isRest ? itemsOf(value(scope), at) : [value(scope)]))
      }
      return { values, named }
    }
  }

  private readAtom(): Expression {
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
    const isNegative = this.skip('-')
    const { next: literal } = this
    if (literal.kind === 'literal' && (!isNegative || typeof literal.value === 'number')) {
      this.at += 1
      return () => (isNegative ? -Number(literal.value) : literal.value)
    }
    if (next.kind !== 'name' || keywords.has(next.text)) throw this.unexpected('a value')
    this.at += 1
    return (scope) => scope.valueOf(next.text, next)
  }

  private readItems(at: Position): Expression {
    if (this.skip(']')) return () => []
    const items = [this.read()]
    const [first = () => null] = items
    if (this.isAt('for')) return this.readComprehension(first, at)
    while (this.skip(',') && !this.isAt(']')) items.push(this.read())
    this.expect(']')
    return (scope) => {
      const made = items.map((item) => item(scope))
      return scope.made(made, at)
    }
  }

  private readDict(at: Position): Expression {
    const entries: (readonly [Expression, Expression])[] = []
    while (!this.skip('}')) {
      const key = this.read()
      this.expect(':')
      entries.push([key, this.read()])
      if (!this.isAt('}')) this.expect(',')
    }
    return (scope) =>
      new Map(entries.map(([key, value]): [Key, Value] => [keyOf(key(scope), at), value(scope)]))
  }

  /** `for … in … if …`, up to and with the closing bracket. */
  private readComprehension(body: Expression, at: Position): Expression {
    type Run = (scope: Scope, made: Value[]) => void
    const clauses: ((rest: Run) => Run)[] = []
    while (!this.skip(']')) {
      if (this.skip('for')) {
        const each = this.readEach(() => this.readOr())
        clauses.push((rest) => (scope, made) => each(scope, () => (rest(scope, made), true)))
      } else {
        this.expect('if')
        const condition = this.readOr()
        clauses.push((rest) => (scope, made) => {
          if (isTrue(condition(scope))) rest(scope, made)
        })
      }
    }
    const run = clauses.reduceRight<Run>(
      (rest, clause) => clause(rest),
      (scope, made) => made.push(scope.made(body(scope), at)),
    )
    return (scope) => {
      const made: Value[] = []
      run(new Scope(scope), made)
      return made
    }
  }

  /** `NAMES in LIST`: calls a function with each item, until it answers false. */
  protected readEach(readItems: () => Expression): (scope: Scope, visit: () => boolean) => void {
    const at = this.next
    const target = this.readTargets()
    this.expect('in')
    const list = readItems()
    return (scope, visit) => {
      for (const item of [...itemsOf(list(scope), at)]) {
        scope.step(at)
        target(scope, item)
        if (!visit()) return
      }
    }
  }

  /** An f-string: what stands in its braces is read as an expression of its own. */
  private readInterpolated(at: Position, source: string): Expression {
    this.at += 1
    const parts = [...source.matchAll(/\{\{|\}\}|\{([^{}]*?)(![rs])?\}|[{}]|[^{}]+/g)].map(
      ([all, inside, conversion]): Expression => {
        if (all === '{{' || all === '}}') return () => all.charAt(0)
        if (all === '{' || all === '}') throw new RuleFault(`a '${all}' in an f-string has no partner`, at)
        if (inside === undefined) return () => all
        const value = this.nested(() => readInside(inside, at))
        return (scope) => textOf(value(scope), conversion === '!r')
      },
    )
    return (scope) => scope.made(parts.map((part) => textOf(part(scope))).join(''), at)
  }

  /** Reads the whole text as one expression. @throws {RuleFault} */
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
        throw new RuleFault(`${targets.length} names for ${items.length} values`, at)
      for (const [index, target] of targets.entries()) target(scope, items[index] ?? null)
    }
  }

  private readTarget(): Target {
    if (this.skip('(')) {
      const inner = this.nested(() => this.readTargets())
      this.expect(')')
      return inner
    }
    const name = this.takeName()
    if (this.isAt('[')) throw new RuleFault('setting an item is not understood here', this.next)
    return (scope, value) => scope.bind(name, value)
  }
}

/** All faults of it have the position of the f-string. */
function readInside(text: string, at: Position): Expression {
  try {
    return new ExpressionReader(text.trim()).readExpression()
  } catch (error) {
    throw error instanceof RuleFault ? new RuleFault(error.message, at) : error
  }
}

export function sum(one: Value, other: Value, at: Position, scope: Scope): Value {
  if (typeof one === 'number' && typeof other === 'number' && Number.isSafeInteger(one + other))
    return one + other
  if (typeof one === 'string' && typeof other === 'string') return scope.made(one + other, at)
  if (Array.isArray(one) && Array.isArray(other)) return scope.made([...one, ...other], at)
  if (one instanceof Tuple && other instanceof Tuple)
    return scope.made(new Tuple([...one.items, ...other.items]), at)
  throw new RuleFault(`'+' is not understood between ${typeOf(one)} and ${typeOf(other)}`, at)
}

function contains(within: Value, wanted: Value, at: Position): boolean {
  if (typeof within === 'string' && typeof wanted === 'string') return within.includes(wanted)
  return itemsOf(within, at).some((item) => isEqual(item, wanted))
}

function indexed(value: Value, index: Value, at: Position): Value {
  const items = value instanceof Map || typeof value === 'string' ? [] : itemsOf(value, at)
  const place = typeof index === 'number' && index < 0 ? index + items.length : index
  const found =
    value instanceof Map ? value.get(keyOf(index, at)) : items[typeof place === 'number' ? place : -1]
  if (found === undefined)
    throw new RuleFault(`there is no item ${textOf(index, true).slice(0, 80)} in the ${typeOf(value)}`, at)
  return found
}
