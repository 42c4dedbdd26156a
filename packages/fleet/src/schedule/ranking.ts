/** A set whose first is at hand: an indexed binary heap, so that any change costs O(log n). */
export class Ranking<Item> {
  readonly #compare: (left: Item, right: Item) => number
  readonly #heap: Item[] = []
  readonly #places = new Map<Item, number>()

  /** `compare` must be a total order: nothing may depend on who came first. */
  constructor(compare: (left: Item, right: Item) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#heap.length
  }

  first(): Item | undefined {
    return this.#heap[0]
  }

  /** Adds it, or moves it to where it belongs now: to be called whenever its rank has changed. */
  put(item: Item): void {
    const place = this.#places.get(item) ?? this.#heap.length
    this.#sink(item, this.#rise(item, place))
  }

  delete(item: Item): void {
    const place = this.#places.get(item)
    if (place === undefined) return
    this.#places.delete(item)
    const last = this.#heap.pop()
    if (last === undefined || last === item) return
    this.#sink(last, this.#rise(last, place))
  }

  #rise(item: Item, from: number): number {
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = this.#heap[above]
      if (parent === undefined || this.#compare(item, parent) >= 0) break
      this.#set(place, parent)
      place = above
    }
    this.#set(place, item)
    return place
  }

  #sink(item: Item, from: number): void {
    let place = from
    for (;;) {
      const below = this.#lesserChild(place)
      const child = below === undefined ? undefined : this.#heap[below]
      if (below === undefined || child === undefined || this.#compare(item, child) <= 0) break
      this.#set(place, child)
      place = below
    }
    this.#set(place, item)
  }

  #lesserChild(place: number): number | undefined {
    const left = this.#heap[2 * place + 1]
    const right = this.#heap[2 * place + 2]
    if (left === undefined) return undefined
    return 2 * place + (right !== undefined && this.#compare(right, left) < 0 ? 2 : 1)
  }

  #set(place: number, item: Item): void {
    this.#heap[place] = item
    this.#places.set(item, place)
  }
}

/** In the order of code units: the same on every machine. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
