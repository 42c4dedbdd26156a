import { type SavedSchedule, compareRuns, type Run, type Limits, type Needs } from './facts.ts'
import { Ranking } from './queues.ts'
import { compareText } from './facts.ts'

type Described = SavedSchedule['workers'][number]

interface Worker {
  readonly described: Described
  readonly runs: Set<string>
  readonly crew: Crew
}

/** Workers that offer the same: whoever fits one fits all. */
interface Crew {
  readonly key: string
  readonly version: string
  readonly labels: ReadonlySet<string>
  readonly members: Set<Worker>
  readonly free: Ranking<Worker>
}

export class Workers {
  readonly #workers = new Map<string, Worker>()
  readonly #crews = new Map<string, Crew>()
  #freeSlots = 0

  get areFull(): boolean {
    return this.#freeSlots === 0
  }

  runsOf(workerId: string): readonly string[] {
    return [...(this.#workers.get(workerId)?.runs ?? [])]
  }

  seen(described: Described): void {
    const known = this.#workers.get(described.workerId)
    if (known !== undefined) this.#leaveCrew(known)
    const crew = this.#crew(described)
    const worker = { described, runs: known?.runs ?? new Set<string>(), crew }
    this.#workers.set(described.workerId, worker)
    crew.members.add(worker)
    this.#freeSlots += freeSlots(worker)
    if (freeSlots(worker) > 0) crew.free.put(worker)
  }

  lost(workerId: string): void {
    const worker = this.#workers.get(workerId)
    if (worker === undefined) return
    this.#leaveCrew(worker)
    this.#workers.delete(workerId)
  }

  took(workerId: string, runId: string): void {
    this.#change(workerId, (worker) => worker.runs.add(runId))
  }

  released(workerId: string, runId: string): void {
    this.#change(workerId, (worker) => worker.runs.delete(runId))
  }

  hasFree(needs: Needs): boolean {
    return this.#crewFor(needs) !== undefined
  }

  /**
   * The preferred one where it is free; else one that offers the fewest labels, because the others are wanted by
   * whom only they fit; of these the one with most free slots.
   */
  pick(needs: Needs, preferredId: string | undefined): Described | undefined {
    const preferred = preferredId === undefined ? undefined : this.#workers.get(preferredId)
    if (preferred !== undefined && freeSlots(preferred) > 0 && fits(preferred.crew, needs))
      return preferred.described
    return this.#crewFor(needs)?.free.first()?.described
  }

  silentSince(beforeMs: number): string[] {
    const silent = [...this.#workers.values()].filter(({ described }) => described.seenMs < beforeMs)
    return silent.map(({ described }) => described.workerId).sort(compareText)
  }

  saved(): SavedSchedule['workers'] {
    return [...this.#workers.values()].map(({ described }) => described)
  }

  #crewFor(needs: Needs): Crew | undefined {
    let found: Crew | undefined
    for (const crew of this.#crews.values())
      if (crew.free.size > 0 && fits(crew, needs) && (found === undefined || compareCrews(crew, found) < 0))
        found = crew
    return found
  }

  #change(workerId: string, change: (worker: Worker) => void): void {
    const worker = this.#workers.get(workerId)
    if (worker === undefined) return
    this.#freeSlots -= freeSlots(worker)
    change(worker)
    this.#freeSlots += freeSlots(worker)
    const { free } = worker.crew
    if (freeSlots(worker) > 0) free.put(worker)
    else free.delete(worker)
  }

  #leaveCrew(worker: Worker): void {
    const { crew } = worker
    crew.members.delete(worker)
    crew.free.delete(worker)
    this.#freeSlots -= freeSlots(worker)
    if (crew.members.size === 0) this.#crews.delete(crew.key)
  }

  #crew({ version, labels }: Described): Crew {
    const key = JSON.stringify([version, [...new Set(labels)].sort(compareText)])
    const known = this.#crews.get(key)
    if (known !== undefined) return known
    const free = new Ranking(compareFree)
    const crew = { key, version, labels: new Set(labels), members: new Set<Worker>(), free }
    this.#crews.set(key, crew)
    return crew
  }
}

function freeSlots({ described, runs }: Worker): number {
  return described.draining ? 0 : Math.max(0, described.slots - runs.size)
}

function fits({ version, labels }: Crew, needs: Needs): boolean {
  return (
    (needs.version === undefined || needs.version === version) &&
    needs.labels.every((label) => labels.has(label))
  )
}

function compareFree(left: Worker, right: Worker): number {
  return freeSlots(right) - freeSlots(left) || compareText(left.described.workerId, right.described.workerId)
}

function compareCrews(left: Crew, right: Crew): number {
  return left.labels.size - right.labels.size || compareText(left.key, right.key)
}

interface Folder {
  readonly holders: Run[]
  /** Runs that want in, by what else they need: of each queue the first stands for all. */
  readonly queues: Map<string, Ranking<Run>>
  offered: ReadonlySet<Run>
}

/** Whoever may be placed as far as folders go is given to `offer`, and taken back by `withdraw`. */
export class Folders {
  readonly #folders = new Map<string, Folder>()
  readonly #offer: (run: Run) => void
  readonly #withdraw: (run: Run) => void

  constructor(offer: (run: Run) => void, withdraw: (run: Run) => void) {
    this.#offer = offer
    this.#withdraw = withdraw
  }

  queued(run: Run): void {
    this.#inFolder(run, this.#offer, (folder) => {
      const queue = folder.queues.get(queueKey(run)) ?? new Ranking(compareRuns)
      folder.queues.set(queueKey(run), queue)
      queue.put(run)
    })
  }

  left(run: Run): void {
    this.#inFolder(run, this.#withdraw, (folder) => {
      const queue = folder.queues.get(queueKey(run))
      queue?.delete(run)
      if (queue?.size === 0) folder.queues.delete(queueKey(run))
    })
  }

  entered(run: Run): void {
    this.#inFolder(run, undefined, ({ holders }) => holders.push(run))
  }

  changed(run: Run): void {
    this.#inFolder(run, undefined, () => undefined)
  }

  over(run: Run): void {
    this.#inFolder(run, undefined, ({ holders }) => {
      const place = holders.indexOf(run)
      if (place >= 0) holders.splice(place, 1)
    })
  }

  #inFolder(
    run: Run,
    withoutFolder: ((run: Run) => void) | undefined,
    change: (folder: Folder) => unknown,
  ): void {
    const { folder: name } = run.request
    if (name === undefined) {
      withoutFolder?.(run)
      return
    }
    const folder = this.#folders.get(name) ?? { holders: [], queues: new Map(), offered: new Set() }
    this.#folders.set(name, folder)
    change(folder)
    this.#offerAgain(folder)
    if (folder.holders.length === 0 && folder.queues.size === 0) this.#folders.delete(name)
  }

  #offerAgain(folder: Folder): void {
    const firsts = [...folder.queues.values()].flatMap((queue) => queue.first() ?? [])
    const entering = new Set(firsts.filter((run) => mayEnter(folder, run)))
    for (const run of folder.offered) if (!entering.has(run)) this.#withdraw(run)
    for (const run of entering) if (!folder.offered.has(run)) this.#offer(run)
    folder.offered = entering
  }
}

function mayEnter({ holders }: Folder, run: Run): boolean {
  const inside = holders.at(-1)
  if (inside === undefined || inside === run) return true
  return inside.request.runId === run.request.parent && inside.stage.kind === 'waiting'
}

/** Of runs with the same key either all may be placed now or none. */
function queueKey({ needsKey, request, attempt }: Run): string {
  return JSON.stringify([needsKey, request.tenant, request.parent, attempt === 0 ? null : request.runId])
}

interface Provider {
  running: number
  closedUntilMs: number
  arrivalMs: number
}

/**
 * Token buckets as the generic cell rate algorithm keeps them (ITU-T I.371): a time instead of a filling level, so
 * that no rounding adds up, and the time of the next token is exact.
 */
export class Providers {
  readonly #providers = new Map<string, Provider>()
  #limits: NonNullable<Limits['providers']> = {}

  setLimits(limits: Limits): void {
    this.#limits = limits.providers ?? {}
  }

  opensAtMs(name: string | undefined): number {
    const provider = name === undefined ? undefined : this.#providers.get(name)
    if (name === undefined || provider === undefined) return -Infinity
    if (provider.running >= (this.#limits[name]?.atOnce ?? Infinity)) return Infinity
    return Math.max(provider.closedUntilMs, provider.arrivalMs - this.#pace(name).toleranceMs)
  }

  placed(name: string | undefined, nowMs: number): void {
    if (name === undefined) return
    const provider = this.#provider(name)
    provider.running += 1
    provider.arrivalMs = Math.max(nowMs, provider.arrivalMs) + this.#pace(name).intervalMs
  }

  goesOn(name: string | undefined): void {
    if (name !== undefined) this.#provider(name).running += 1
  }

  released(name: string | undefined): void {
    if (name !== undefined) this.#provider(name).running -= 1
  }

  /** It opens with one token: whoever waited does not come back all at once. */
  close(name: string, untilMs: number): void {
    const provider = this.#provider(name)
    provider.closedUntilMs = Math.max(provider.closedUntilMs, untilMs)
    provider.arrivalMs = Math.max(provider.arrivalMs, untilMs + this.#pace(name).toleranceMs)
  }

  open(saved: SavedSchedule['providers']): void {
    for (const [name, times] of Object.entries(saved)) Object.assign(this.#provider(name), times)
  }

  saved(): SavedSchedule['providers'] {
    return Object.fromEntries(
      [...this.#providers].map(([name, { closedUntilMs, arrivalMs }]) => [
        name,
        { closedUntilMs, arrivalMs },
      ]),
    )
  }

  #pace(name: string): { intervalMs: number; toleranceMs: number } {
    const bucket = this.#limits[name]?.bucket
    if (bucket === undefined) return { intervalMs: 0, toleranceMs: 0 }
    const intervalMs = 60_000 / bucket.perMinute
    return { intervalMs, toleranceMs: (bucket.burst - 1) * intervalMs }
  }

  #provider(name: string): Provider {
    const known = this.#providers.get(name) ?? { running: 0, closedUntilMs: 0, arrivalMs: 0 }
    this.#providers.set(name, known)
    return known
  }
}
