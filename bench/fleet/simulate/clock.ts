/** What is still to come, earliest first: of things at the same time those that were planned first. */
interface Planned<Thing> {
  readonly atMs: number
  readonly order: number
  readonly thing: Thing
}

export class Clock<Thing> {
  readonly #heap: Planned<Thing>[] = []
  #order = 0
  nowMs = 0

  plan(atMs: number, thing: Thing): void {
    const planned = { atMs: Math.max(atMs, this.nowMs), order: (this.#order += 1), thing }
    let place = this.#heap.length
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = this.#heap[above]
      if (parent === undefined || isBefore(parent, planned)) break
      this.#heap[place] = parent
      place = above
    }
    this.#heap[place] = planned
  }

  /** Goes on to the next thing; undefined: nothing is planned. */
  next(): Thing | undefined {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (first === undefined || last === undefined) return undefined
    if (last !== first) this.#sink(last)
    this.nowMs = first.atMs
    return first.thing
  }

  #sink(planned: Planned<Thing>): void {
    let place = 0
    for (;;) {
      const left = this.#heap[2 * place + 1]
      const right = this.#heap[2 * place + 2]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (child === undefined || isBefore(planned, child)) break
      this.#heap[place] = child
      place = 2 * place + (isRight ? 2 : 1)
    }
    this.#heap[place] = planned
  }
}

function isBefore(left: Planned<unknown>, right: Planned<unknown>): boolean {
  return left.atMs < right.atMs || (left.atMs === right.atMs && left.order < right.order)
}
