/** Where names have their values, and how much a rule file may still do. */
import { SourceFault, type Position } from './source-fault.ts'
import { Dict, itemsOf, Tuple, type Value } from './value.ts'

/** Operations of one file, all together. */
const maxSteps = 200_000
/** Calls within calls: the reader must not run out of stack. */
const maxCalls = 50
/** Characters and items that come into being in one file, all together. */
const maxSize = 2_000_000

export class Meter {
  private steps = 0
  private size = 0
  private calls = 0
  /** Lists that a loop goes through: they may not be changed meanwhile. */
  private readonly walked = new Map<Value, number>()

  step(at: Position): void {
    this.steps += 1
    if (this.steps > maxSteps) throw new SourceFault(at, `more than ${maxSteps} steps`)
  }

  nested<Result>(at: Position, run: () => Result): Result {
    if (this.calls === maxCalls) throw new SourceFault(at, `more than ${maxCalls} calls in one another`)
    this.calls += 1
    const result = run()
    this.calls -= 1
    return result
  }

  /** @param size of what is about to be made */
  reserve(size: number, at: Position): void {
    this.size += size
    if (this.size > maxSize) throw new SourceFault(at, `values of more than ${maxSize} characters and items`)
  }

  /** Value of which everything inside counts, as often as it occurs. */
  made<Made extends Value>(value: Made, at: Position): Made {
    this.reserve(typeof value === 'string' ? value.length : 1, at)
    if (Array.isArray(value) || value instanceof Tuple || value instanceof Dict)
      for (const item of itemsOf(value, at)) this.made(item, at)
    return value
  }

  walk(list: Value, at: Position, visit: (item: Value) => boolean): void {
    this.walked.set(list, (this.walked.get(list) ?? 0) + 1)
    for (const item of itemsOf(list, at)) {
      this.step(at)
      if (!visit(item)) break
    }
    this.walked.set(list, (this.walked.get(list) ?? 1) - 1)
  }

  assertFree(list: Value, at: Position): void {
    if ((this.walked.get(list) ?? 0) > 0)
      throw new SourceFault(at, 'a loop goes through what is changed here')
  }
}

export class Scope {
  readonly meter: Meter
  private readonly values = new Map<string, Value>()
  private readonly parent: Scope | null
  /** Names that are bound somewhere in this function. */
  private readonly own: ReadonlySet<string>

  constructor(parent: Scope | null, meter: Meter, own: ReadonlySet<string> = new Set()) {
    this.parent = parent
    this.meter = meter
    this.own = own
  }

  bind(name: string, value: Value): void {
    this.values.set(name, value)
  }

  valueOf(name: string, at: Position): Value {
    const value = this.values.get(name)
    if (value !== undefined) return value
    if (this.parent === null || this.own.has(name)) throw new SourceFault(at, `'${name}' has no value here`)
    return this.parent.valueOf(name, at)
  }
}
