/** Compiles each expression of a rule file to a function. */
import { type Position, RuleFault } from '../rule.ts'
import { keywords, TokenReader } from './tokens.ts'
import {
  type Arguments,
  isEqual,
  isTrue,
  itemsOf,
  methods,
  textOf,
  Tuple,
  typeOf,
  type Value,
} from './values.ts'

/** Limit per file; each step, character and item counts one. */
const maxSteps = 500_000
/** Prevents a stack overflow. */
const maxCalls = 50

export class Scope {
  readonly #meter: { steps: number; calls: number }
  readonly #values = new Map<string, Value>()
  readonly #parent: Scope | undefined

  constructor(parent?: Scope) {
    this.#parent = parent
    this.#meter = parent === undefined ? { steps: 0, calls: 0 } : parent.#meter
  }

  bind(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  valueOf(name: string, at: Position): Value {
    const value = this.#values.get(name)
    if (value !== undefined) return value
    if (this.#parent === undefined) throw new RuleFault(`'${name}' has no value here`, at)
    return this.#parent.valueOf(name, at)
  }

  /** @throws {RuleFault} if the file does too much */
  step(at: Position, count = 1): void {
    this.#meter.steps += count
    if (this.#meter.steps > maxSteps)
      throw new RuleFault(`more than ${maxSteps} steps, characters and items`, at)
  }

  made<Made extends Value>(value: Made, at: Position): Made {
    this.step(at, typeof value === 'string' ? value.length : 1)
    if (Array.isArray(value) || value instanceof Tuple)
      for (const item of itemsOf(value, at)) this.made(item, at)
    return value
  }

  nested<Result>(at: Position, run: () => Result): Result {
    if (this.#meter.calls === maxCalls) throw new RuleFault(`more than ${maxCalls} calls in one another`, at)
    this.#meter.calls += 1
    const result = run()
    this.#meter.calls -= 1
    return result
  }
}

export type Expression = (scope: Scope) => Value
type Target = (scope: Scope, value: Value) => void

const otherSigns = ['<', '>', '<=', '>=', '-', '*', '/', '//', '%', '|', '**', '[', '{']

export class ExpressionReader extends TokenReader {
  /** Commas make a tuple. */
  protected readList(): Expression {
    const items = [this.read()]
    const [first] = items
    if (!this.isAt(',') && first !== undefined) return first
    const isEnd = () => this.next.kind === 'line-end' || ['=', ')', ':'].some((text) => this.isAt(text))
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
    return this.#readJoined('or', true, () => this.#readJoined('and', false, () => this.#readNot()))
  }

  /** Returns the first deciding value, else the last. */
  #readJoined(word: string, isDeciding: boolean, read: () => Expression): Expression {
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

  #readNot(): Expression {
    return this.nested(() => {
      if (!this.skip('not')) return this.#readComparison()
      const value = this.#readNot()
      return (scope) => !isTrue(value(scope))
    })
  }

  #readComparison(): Expression {
    const left = this.#readSum()
    const at = this.next
    const isNegated = this.isAt('!=') || (this.isAt('not') && this.isAt('in', 1))
    if (this.isAt('not') && isNegated) this.at += 1
    if (this.skip('in')) {
      const right = this.#readSum()
      return (scope) => contains(right(scope), left(scope), at) !== isNegated
    }
    if (!this.skip('==') && !this.skip('!=')) return left
    const right = this.#readSum()
    return (scope) => isEqual(left(scope), right(scope)) !== isNegated
  }

  #readSum(): Expression {
    let left = this.#readPostfix()
    while (this.isAt('+')) {
      const at = this.next
      this.at += 1
      const [one, other] = [left, this.#readPostfix()]
      left = (scope) => sum(one(scope), other(scope), at, scope)
    }
    const sign = otherSigns.find((text) => this.isAt(text))
    if (sign === undefined) return left
    throw new RuleFault(`'${sign}' is not understood here`, this.next)
  }

  #readPostfix(): Expression {
    const at = this.next
    let value = this.#readAtom()
    for (;;) {
      const before = value
      if (this.skip('(')) {
        const given = this.#readArguments()
        value = (scope) => {
          scope.step(at)
          const callee = before(scope)
          if (typeof callee !== 'object' || callee === null || !('call' in callee))
            throw new RuleFault(`a ${typeOf(callee)} cannot be called`, at)
          return scope.made(callee.call(given(scope), at), at)
        }
      } else if (this.skip('.')) {
        const name = this.takeName()
        this.expect('(')
        const given = this.#readArguments()
        value = (scope) => scope.made(callMethod(before(scope), name, given(scope), at), at)
      } else return value
    }
  }

  #readArguments(): (scope: Scope) => Arguments {
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

  #readAtom(): Expression {
    const next = this.next
    if (this.skip('(')) {
      if (this.skip(')')) return () => new Tuple([])
      const value = this.readList()
      this.expect(')')
      return value
    }
    if (this.skip('[')) return this.#readItems(next)
    if (next.kind === 'literal' || next.kind === 'f-string') {
      this.at += 1
      return next.kind === 'literal' ? () => next.value : interpolated(next.value, next)
    }
    if (next.kind !== 'name' || keywords.has(next.text)) throw this.unexpected('a value')
    this.at += 1
    return (scope) => scope.valueOf(next.text, next)
  }

  #readItems(at: Position): Expression {
    if (this.skip(']')) return () => []
    const first = this.read()
    if (this.skip('for')) return this.#readComprehension(first, at)
    const items = [first]
    while (this.skip(',') && !this.isAt(']')) items.push(this.read())
    this.expect(']')
    return (scope) => {
      const made = items.map((item) => item(scope))
      return scope.made(made, at)
    }
  }

  /** `NAMES in LIST if CONDITION]` */
  #readComprehension(item: Expression, at: Position): Expression {
    const each = this.readEach(() => this.readOr())
    const condition = this.skip('if') ? this.readOr() : () => true
    this.expect(']')
    return (scope) => {
      const inner = new Scope(scope)
      const made: Value[] = []
      each(inner, () => {
        if (isTrue(condition(inner))) made.push(scope.made(item(inner), at))
        return true
      })
      return made
    }
  }

  /** `NAMES in LIST`; stops if the function returns false. */
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

  protected readTargets(): Target {
    const at = this.next
    const names = [this.takeName()]
    while (this.skip(',')) names.push(this.takeName())
    const [only = ''] = names
    if (names.length === 1) return (scope, value) => scope.bind(only, value)
    return (scope, value) => {
      const items = itemsOf(value, at)
      if (items.length !== names.length)
        throw new RuleFault(`${names.length} names for ${items.length} values`, at)
      for (const [index, name] of names.entries()) scope.bind(name, items[index] ?? null)
    }
  }
}

/** An f-string with names in braces. */
function interpolated(source: string, at: Position): Expression {
  const parts = [...source.matchAll(/\{\{|\}\}|\{(\w+)\}|[{}]|[^{}]+/g)].map(([all, name]): Expression => {
    if (name !== undefined) return (scope) => scope.valueOf(name, at)
    if (all !== '{' && all !== '}') return () => (/^(?:\{\{|\}\})$/.test(all) ? all.charAt(0) : all)
    throw new RuleFault('only names are understood in the braces of an f-string here', at)
  })
  return (scope) => scope.made(parts.map((part) => textOf(part(scope))).join(''), at)
}

function callMethod(held: Value, name: string, { values, named }: Arguments, at: Position): Value {
  if (Array.isArray(held) && name === 'append' && values.length === 1) {
    held.push(...values)
    return null
  }
  const method = Object.hasOwn(methods, name) && named.size === 0 ? methods[name] : undefined
  if (typeof held === 'string' && method !== undefined) return method(held, values, at)
  throw new RuleFault(`a ${typeOf(held)} has no '${name}' that is understood here`, at)
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
