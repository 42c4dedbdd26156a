/** Where names have their values, and how much a rule file may still do. */
import { SourceFault, type Position } from './tokens.ts'
import { Dict, itemsOf, Tuple, type Value } from './values.ts'

/** Operations of one file. */
const maxSteps = 200_000
/** Calls within calls: the reader must not run out of stack. */
const maxCalls = 50
/** Characters and items that one file makes. */
const maxSize = 2_000_000

export class Meter {
  #steps = 0
  #size = 0
  #calls = 0

  step(at: Position): void {
    this.#steps += 1
    if (this.#steps > maxSteps) throw new SourceFault(at, `more than ${maxSteps} steps`)
  }

  nested<Result>(at: Position, run: () => Result): Result {
    if (this.#calls === maxCalls) throw new SourceFault(at, `more than ${maxCalls} calls in one another`)
    this.#calls += 1
    const result = run()
    this.#calls -= 1
    return result
  }

  /** @param size of what is about to be made */
  reserve(size: number, at: Position): void {
    this.#size += size
    if (this.#size > maxSize) throw new SourceFault(at, `values of more than ${maxSize} characters and items`)
  }

  made<Made extends Value>(value: Made, at: Position): Made {
    this.reserve(typeof value === 'string' ? value.length : 1, at)
    if (Array.isArray(value) || value instanceof Tuple || value instanceof Dict)
      for (const item of itemsOf(value, at)) this.made(item, at)
    return value
  }
}

export class Scope {
  readonly meter: Meter
  readonly #values = new Map<string, Value>()
  readonly #parent: Scope | null

  constructor(parent: Scope | null, meter: Meter) {
    this.#parent = parent
    this.meter = meter
  }

  bind(name: string, value: Value): void {
    this.#values.set(name, value)
  }

  valueOf(name: string, at: Position): Value {
    const value = this.#values.get(name)
    if (value !== undefined) return value
    if (this.#parent === null) throw new SourceFault(at, `'${name}' has no value here`)
    return this.#parent.valueOf(name, at)
  }
}
