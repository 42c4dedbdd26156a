import { type Limits, type SavedSchedule, compareRuns, type Run, type Needs, compareText } from './facts.ts'

interface Tenant {
  readonly name: string
  running: number
  /** Worker time. Raised to what others have used whenever the tenant comes back from having nothing to do. */
  usedMs: number
  readonly queues: Map<Lane, Ranking<Run>>
}

interface Lane {
  readonly key: string
  readonly provider: string | undefined
  readonly needs: Needs
  readonly tenants: Ranking<Tenant>
  waitingTenants: number
}

/**
 * Fair between tenants: a free slot goes to the tenant with the fewest runs on workers among those that have a run for it.
 * That is max-min fairness under constraints (Ghodsi, Zaharia, Shenker, Stoica: "Choosy", EuroSys 2013). Of equals the one that
 * has used least worker time is next, with the rule of start-time fair queueing for newcomers (Goyal, Vin, Cheng 1996): they begin
 * at the virtual time, so nobody saves up time by having had nothing to do.
 */
export class Queues {
  readonly #tenants = new Map<string, Tenant>()
  readonly #lanes = new Map<string, Lane>()
  #limits: Limits = {}
  #virtualMs = 0

  setLimits(limits: Limits): void {
    this.#limits = limits
    for (const tenant of this.#tenants.values()) this.#rank(tenant)
  }

  add(run: Run): void {
    const tenant = this.#tenant(run.request.tenant)
    if (tenant.running === 0 && tenant.queues.size === 0)
      tenant.usedMs = Math.max(tenant.usedMs, this.#virtualMs)
    const lane = this.#lane(run)
    const known = tenant.queues.get(lane)
    const queue = known ?? new Ranking(compareRuns)
    queue.put(run)
    if (known !== undefined) return
    tenant.queues.set(lane, queue)
    lane.waitingTenants += 1
    this.#rank(tenant)
  }

  remove(run: Run): void {
    const tenant = this.#tenant(run.request.tenant)
    const lane = this.#lane(run)
    const queue = tenant.queues.get(lane)
    queue?.delete(run)
    if (queue === undefined || queue.size > 0) return
    tenant.queues.delete(lane)
    lane.tenants.delete(tenant)
    lane.waitingTenants -= 1
    if (lane.waitingTenants === 0) this.#lanes.delete(lane.key)
  }

  lanes(): Lane[] {
    return [...this.#lanes.values()].filter(({ tenants }) => tenants.size > 0)
  }

  nextOf(open: readonly Lane[]): Run | undefined {
    let next: Tenant | undefined
    for (const { tenants } of open) {
      const first = tenants.first()
      if (first !== undefined && (next === undefined || compareTenants(first, next) < 0)) next = first
    }
    const firsts = open.flatMap((lane) => next?.queues.get(lane)?.first() ?? [])
    return firsts.sort(compareRuns)[0]
  }

  placed(run: Run): void {
    const tenant = this.#tenant(run.request.tenant)
    this.#virtualMs = Math.max(this.#virtualMs, tenant.usedMs)
    tenant.running += 1
    this.#rank(tenant)
  }

  /** At least a millisecond: who has been served is behind who has not. */
  released(run: Run, usedMs: number): void {
    const tenant = this.#tenant(run.request.tenant)
    tenant.running -= 1
    tenant.usedMs += Math.max(1, usedMs)
    this.#rank(tenant)
  }

  open({ usedMs, virtualMs }: SavedSchedule): void {
    this.#virtualMs = virtualMs
    for (const [name, used] of Object.entries(usedMs)) {
      const tenant = this.#tenant(name)
      tenant.usedMs = used
      this.#rank(tenant)
    }
  }

  /** A tenant with nothing to do is forgotten once others have used as much: it would begin there anyway. */
  saved(): Pick<SavedSchedule, 'usedMs' | 'virtualMs'> {
    const remembered = [...this.#tenants.values()].filter(
      ({ running, queues, usedMs }) => running > 0 || queues.size > 0 || usedMs > this.#virtualMs,
    )
    return {
      usedMs: Object.fromEntries(remembered.map(({ name, usedMs }) => [name, usedMs])),
      virtualMs: this.#virtualMs,
    }
  }

  #rank(tenant: Tenant): void {
    const { tenants, everyTenant } = this.#limits
    const limits = tenants?.[tenant.name] ?? everyTenant
    const isCapped = tenant.running >= (limits?.atOnce ?? Infinity)
    for (const lane of tenant.queues.keys())
      if (isCapped) lane.tenants.delete(tenant)
      else lane.tenants.put(tenant)
  }

  #tenant(name: string): Tenant {
    const known = this.#tenants.get(name) ?? { name, running: 0, usedMs: 0, queues: new Map() }
    this.#tenants.set(name, known)
    return known
  }

  #lane({ needsKey, request }: Run): Lane {
    const { labels, version, provider } = request
    const known = this.#lanes.get(needsKey)
    if (known !== undefined) return known
    const needs = { labels, version }
    const tenants = new Ranking(compareTenants)
    const lane = { key: needsKey, provider, needs, tenants, waitingTenants: 0 }
    this.#lanes.set(needsKey, lane)
    return lane
  }
}

function compareTenants(left: Tenant, right: Tenant): number {
  return left.running - right.running || left.usedMs - right.usedMs || compareText(left.name, right.name)
}

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

  /** Adds the item, or moves it to its new place. Must be called whenever the item's rank has changed. */
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
