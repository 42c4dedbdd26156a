import type {
  Limits,
  Placement,
  Placements,
  RunRequest,
  SavedSchedule,
  ScheduledRun,
  ScheduleFact,
} from './facts.ts'

const nothing: SavedSchedule = {
  runs: [],
  workers: [],
  usedMs: {},
  virtualMs: 0,
  providers: {},
  limits: {},
}

export function openSchedule(saved: SavedSchedule = nothing): Schedule {
  return new Schedule(saved)
}

type Worker = SavedSchedule['workers'][number]
type Provider = SavedSchedule['providers'][string]

interface Candidate {
  readonly run: ScheduledRun
  readonly atMs: number
}

/**
 * Fair between tenants: a free slot goes to the tenant with the fewest runs on workers, max-min fair under
 * constraints (Ghodsi, Zaharia, Shenker, Stoica: "Choosy", EuroSys 2013). Ties go to the least used worker
 * time; newcomers start at the virtual time, as in start-time fair queueing (Goyal, Vin, Cheng 1996), so idle
 * tenants save up nothing.
 * A placement costs O(n) for n runs, which the coordinator reads and writes for each fact anyway.
 */
export class Schedule {
  readonly #runs = new Map<string, ScheduledRun>()
  readonly #workers = new Map<string, Worker>()
  readonly #providers: Map<string, Provider>
  /** Worker time by tenant, raised to that of the others when the tenant becomes active again. */
  readonly #usedMs: Map<string, number>
  #virtualMs: number
  #limits: Limits

  constructor({ runs, workers, usedMs, virtualMs, providers, limits }: SavedSchedule) {
    for (const run of runs) this.#runs.set(run.request.runId, run)
    for (const worker of workers) this.#workers.set(worker.workerId, worker)
    this.#providers = new Map(Object.entries(providers))
    this.#usedMs = new Map(Object.entries(usedMs))
    this.#virtualMs = virtualMs
    this.#limits = limits
  }

  tell(fact: ScheduleFact): void {
    switch (fact.kind) {
      case 'run-submitted':
        if (!this.#runs.has(fact.run.runId))
          this.#queue({ request: fact.run, submittedMs: fact.atMs, attempt: 0, stage: { kind: 'queued' } })
        break
      case 'run-waiting':
      case 'run-ready': {
        const run = this.#runs.get(fact.runId)
        if (run?.attempt !== fact.attempt) break
        if (fact.kind === 'run-ready') this.#queueAgain(run, fact.atMs)
        else if (run.stage.kind === 'placed')
          this.#put({ ...this.#released(run, fact.atMs), stage: { kind: 'waiting' } })
        break
      }
      case 'run-finished': {
        const run = this.#runs.get(fact.runId)
        if (run !== undefined) this.#released(run, fact.atMs)
        this.#runs.delete(fact.runId)
        break
      }
      case 'worker-seen': {
        const { workerId, version, labels, slots, draining, atMs: seenMs } = fact
        this.#workers.set(workerId, { workerId, version, labels, slots, draining, seenMs })
        break
      }
      case 'worker-lost':
        for (const run of this.#placedOn(fact.workerId)) this.#queueAgain(run, fact.atMs)
        this.#workers.delete(fact.workerId)
        break
      case 'provider-limited':
        if (fact.untilMs > fact.atMs) this.#close(fact.provider, fact.untilMs)
        break
      case 'limits-set':
        this.#limits = fact.limits
    }
  }

  /** Places all runs that can be placed now; no further fact confirms it. */
  place(nowMs: number): Placements {
    const placements: Placement[] = []
    for (;;) {
      const candidates = this.#candidates()
      const next = this.#nextOf(candidates.filter(({ atMs }) => atMs <= nowMs).map(({ run }) => run))
      if (next !== undefined) {
        placements.push(this.#place(next, nowMs))
        continue
      }
      const earliest = Math.min(...candidates.map(({ atMs }) => atMs))
      return { placements, lookAgainAtMs: Number.isFinite(earliest) ? Math.ceil(earliest) : undefined }
    }
  }

  runsOf(workerId: string): Omit<Placement, 'workerId'>[] {
    return this.#placedOn(workerId).map(({ request, attempt }) => ({ runId: request.runId, attempt }))
  }

  silentSince(beforeMs: number): string[] {
    const silent = [...this.#workers.values()].filter(({ seenMs }) => seenMs < beforeMs)
    return silent.map(({ workerId }) => workerId).sort(compareText)
  }

  /** An idle tenant is forgotten once others used as much, where it would restart anyway. */
  saved(): SavedSchedule {
    const busy = this.#busyTenants()
    const remembered = [...this.#usedMs].filter(
      ([tenant, usedMs]) => busy.has(tenant) || usedMs > this.#virtualMs,
    )
    return {
      runs: [...this.#runs.values()],
      workers: [...this.#workers.values()],
      usedMs: Object.fromEntries(remembered),
      virtualMs: this.#virtualMs,
      providers: Object.fromEntries(this.#providers),
      limits: this.#limits,
    }
  }

  #put(run: ScheduledRun): void {
    this.#runs.set(run.request.runId, run)
  }

  #placedOn(workerId: string): readonly ScheduledRun[] {
    return [...this.#runs.values()].filter(
      ({ stage }) => stage.kind === 'placed' && stage.workerId === workerId,
    )
  }

  #busyTenants(): ReadonlySet<string> {
    const busy = [...this.#runs.values()].filter(({ stage }) => stage.kind !== 'waiting')
    return new Set(busy.map(({ request }) => request.tenant))
  }

  #queue(run: ScheduledRun): void {
    const { tenant } = run.request
    const usedMs = this.#usedMs.get(tenant) ?? 0
    if (!this.#busyTenants().has(tenant)) this.#usedMs.set(tenant, Math.max(usedMs, this.#virtualMs))
    this.#put({ ...run, stage: { kind: 'queued' } })
  }

  #queueAgain(run: ScheduledRun, nowMs: number): void {
    if (run.stage.kind === 'queued') return
    const free = this.#released(run, nowMs)
    this.#put(free)
    this.#queue(free)
  }

  /** At least a millisecond counts, so that a served tenant comes after an unserved one. */
  #released(run: ScheduledRun, nowMs: number): ScheduledRun {
    const { request, stage } = run
    if (stage.kind !== 'placed') return run
    const usedMs = Math.max(1, nowMs - stage.sinceMs)
    this.#usedMs.set(request.tenant, (this.#usedMs.get(request.tenant) ?? 0) + usedMs)
    return { ...run, stage: { kind: 'waiting' } }
  }

  #place(run: ScheduledRun, nowMs: number): Placement {
    const worker = this.#pick(run)
    if (worker === undefined) throw new Error(`run ${run.request.runId} was chosen, and no worker fits it`)
    const { workerId, version } = worker
    const { runId, tenant, provider } = run.request
    const attempt = run.attempt + 1
    this.#virtualMs = Math.max(this.#virtualMs, this.#usedMs.get(tenant) ?? 0)
    if (provider !== undefined) {
      const { closedUntilMs, arrivalMs } = this.#provider(provider)
      const next = Math.max(nowMs, arrivalMs) + paceOf(this.#limits, provider).intervalMs
      this.#providers.set(provider, { closedUntilMs, arrivalMs: next })
    }
    this.#put({
      ...run,
      // It ends on the version that it started with.
      request: { ...run.request, version },
      attempt,
      lastWorkerId: workerId,
      stage: { kind: 'placed', workerId, sinceMs: nowMs },
    })
    return { runId, workerId, attempt }
  }

  /** Runs that only their provider may still delay. */
  #candidates(): readonly Candidate[] {
    const all = [...this.#runs.values()]
    const placed = all.filter(({ stage }) => stage.kind === 'placed')
    const holders = Map.groupBy(
      all.filter(({ attempt }) => attempt > 0),
      ({ request }) => request.folder,
    )
    const byTenant = countsOf(placed.map(({ request }) => request.tenant))
    const byProvider = countsOf(placed.map(({ request }) => request.provider))
    const { tenants, everyTenant, providers } = this.#limits
    const free = this.#freeWorkers()
    if (free.length === 0) return []
    return all.flatMap((run) => {
      const { tenant, provider, folder } = run.request
      const cap = (tenants?.[tenant] ?? everyTenant)?.atOnce ?? Infinity
      if (run.stage.kind !== 'queued' || (byTenant.get(tenant) ?? 0) >= cap) return []
      if (folder !== undefined && !this.#mayEnter(run, holders.get(folder) ?? [])) return []
      if (!free.some(({ worker }) => fits(worker, run.request))) return []
      if (provider === undefined) return [{ run, atMs: -Infinity }]
      const isFull = (byProvider.get(provider) ?? 0) >= (providers?.[provider]?.atOnce ?? Infinity)
      return [{ run, atMs: isFull ? Infinity : this.#opensAtMs(provider) }]
    })
  }

  /** A folder holds one run, but its parts may enter while it waits for them. */
  #mayEnter({ request }: ScheduledRun, holders: readonly ScheduledRun[]): boolean {
    return holders.every(
      ({ request: { runId }, stage }) =>
        runId === request.runId || (stage.kind === 'waiting' && this.#isAncestor(runId, request)),
    )
  }

  #isAncestor(runId: string, { parent }: RunRequest): boolean {
    if (parent === undefined || parent === runId) return parent === runId
    const above = this.#runs.get(parent)
    return above !== undefined && this.#isAncestor(runId, above.request)
  }

  #nextOf(runs: readonly ScheduledRun[]): ScheduledRun | undefined {
    const running = countsOf(
      [...this.#runs.values()].flatMap(({ stage, request }) =>
        stage.kind === 'placed' ? [request.tenant] : [],
      ),
    )
    const compareTenants = (one: string, other: string) =>
      (running.get(one) ?? 0) - (running.get(other) ?? 0) ||
      (this.#usedMs.get(one) ?? 0) - (this.#usedMs.get(other) ?? 0) ||
      compareText(one, other)
    return firstOf(
      runs,
      (one, other) => compareTenants(one.request.tenant, other.request.tenant) || compareRuns(one, other),
    )
  }

  #freeWorkers(): readonly { readonly worker: Worker; readonly slots: number }[] {
    const taken = countsOf(
      [...this.#runs.values()].flatMap(({ stage }) => (stage.kind === 'placed' ? [stage.workerId] : [])),
    )
    return [...this.#workers.values()]
      .map((worker) => ({ worker, slots: worker.slots - (taken.get(worker.workerId) ?? 0) }))
      .filter(({ worker, slots }) => !worker.draining && slots > 0)
  }

  /** Prefers its last worker, then the fewest labels, because others need the rest, then free slots. */
  #pick({ request, lastWorkerId }: ScheduledRun): Worker | undefined {
    const fitting = this.#freeWorkers().filter(({ worker }) => fits(worker, request))
    const last = fitting.find(({ worker }) => worker.workerId === lastWorkerId)
    if (last !== undefined) return last.worker
    return firstOf(
      fitting,
      (one, other) =>
        new Set(one.worker.labels).size - new Set(other.worker.labels).size ||
        compareText(offerOf(one.worker), offerOf(other.worker)) ||
        other.slots - one.slots ||
        compareText(one.worker.workerId, other.worker.workerId),
    )?.worker
  }

  #provider(name: string): Provider {
    return this.#providers.get(name) ?? { closedUntilMs: 0, arrivalMs: 0 }
  }

  #opensAtMs(name: string): number {
    const { closedUntilMs, arrivalMs } = this.#provider(name)
    return Math.max(closedUntilMs, arrivalMs - paceOf(this.#limits, name).toleranceMs)
  }

  /** It reopens with one token, so that waiting runs do not return all at once. */
  #close(name: string, untilMs: number): void {
    const { closedUntilMs, arrivalMs } = this.#provider(name)
    this.#providers.set(name, {
      closedUntilMs: Math.max(closedUntilMs, untilMs),
      arrivalMs: Math.max(arrivalMs, untilMs + paceOf(this.#limits, name).toleranceMs),
    })
  }
}

/** A token bucket as a generic cell rate algorithm (ITU-T I.371): exact, free of rounding. */
function paceOf(limits: Limits, provider: string): { intervalMs: number; toleranceMs: number } {
  const bucket = limits.providers?.[provider]?.bucket
  if (bucket === undefined) return { intervalMs: 0, toleranceMs: 0 }
  const intervalMs = 60_000 / bucket.perMinute
  return { intervalMs, toleranceMs: (bucket.burst - 1) * intervalMs }
}

function fits({ version, labels }: Worker, wanted: RunRequest): boolean {
  return (
    (wanted.version === undefined || wanted.version === version) &&
    wanted.labels.every((label) => labels.includes(label))
  )
}

const priorityPointMs = 600_000

/** Started runs first, then the longest wait. Priority is waiting credit, so no run starves. */
function compareRuns(one: ScheduledRun, other: ScheduledRun): number {
  const rankMs = ({ submittedMs, request }: ScheduledRun) => submittedMs - request.priority * priorityPointMs
  return (
    Math.min(1, other.attempt) - Math.min(1, one.attempt) ||
    rankMs(one) - rankMs(other) ||
    compareText(one.request.runId, other.request.runId)
  )
}

function offerOf({ version, labels }: Worker): string {
  return JSON.stringify([version, [...new Set(labels)].sort(compareText)])
}

function firstOf<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Item | undefined {
  return items.reduce<Item | undefined>(
    (first, item) => (first === undefined || compare(item, first) < 0 ? item : first),
    undefined,
  )
}

function countsOf<Key>(keys: readonly Key[]): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** By code units, so the order is the same on every machine. */
function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
