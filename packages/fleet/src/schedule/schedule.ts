import { Folders, Providers, Workers } from './workers.ts'
import { Queues } from './queues.ts'
import {
  type ScheduleFact,
  type Placement,
  type Placements,
  type ScheduledRun,
  type SavedSchedule,
  type Run,
  runOf,
  pinVersion,
} from './facts.ts'

const nothing: SavedSchedule = {
  runs: [],
  workers: [],
  usedMs: {},
  virtualMs: 0,
  providers: {},
  limits: {},
}

/** Goes on from what was saved, as if there had been no break. A placement costs O(log n) for n runs, tenants and workers. */
export function openSchedule(saved: SavedSchedule = nothing): Schedule {
  return new Schedule(saved)
}

export class Schedule {
  readonly #runs = new Map<string, Run>()
  readonly #workers = new Workers()
  readonly #providers = new Providers()
  readonly #queues = new Queues()
  readonly #folders = new Folders(
    (run) => this.#queues.add(run),
    (run) => this.#queues.remove(run),
  )
  #limits = nothing.limits

  constructor(saved: SavedSchedule) {
    this.#providers.open(saved.providers)
    this.#setLimits(saved.limits)
    for (const worker of saved.workers) this.#workers.seen(worker)
    const runs = saved.runs.map(runOf)
    for (const run of runs) this.#goesOn(run)
    for (const run of runs) if (run.stage.kind === 'queued') this.#folders.queued(run)
    this.#queues.open(saved)
  }

  tell(fact: ScheduleFact): void {
    switch (fact.kind) {
      case 'run-submitted':
        this.#submitted(fact)
        break
      case 'run-waiting':
        this.#withAttempt(fact, (run) => this.#release(run, { kind: 'waiting' }, fact.atMs))
        break
      case 'run-ready':
        this.#withAttempt(fact, (run) => this.#queueAgain(run, fact.atMs))
        break
      case 'run-finished':
        this.#finished(fact)
        break
      case 'worker-seen': {
        const { workerId, version, labels, slots, draining, atMs: seenMs } = fact
        this.#workers.seen({ workerId, version, labels, slots, draining, seenMs })
        break
      }
      case 'worker-lost':
        this.#lost(fact)
        break
      case 'provider-limited':
        if (fact.untilMs > fact.atMs) this.#providers.close(fact.provider, fact.untilMs)
        break
      case 'limits-set':
        this.#setLimits(fact.limits)
    }
  }

  /** All runs that may be placed at this time. They are placed now: there is no fact to tell of it. */
  place(nowMs: number): Placements {
    const placements: Placement[] = []
    for (;;) {
      const open = this.#workers.areFull ? [] : this.#fittingLanes().filter(({ atMs }) => atMs <= nowMs)
      const run = this.#queues.nextOf(open.map(({ lane }) => lane))
      if (run === undefined) break
      placements.push(this.#place(run, nowMs))
    }
    return { placements, lookAgainAtMs: this.#lookAgainAtMs() }
  }

  runsOf(workerId: string): Omit<Placement, 'workerId'>[] {
    return this.#workers
      .runsOf(workerId)
      .map((runId) => ({ runId, attempt: this.#runs.get(runId)?.attempt ?? 0 }))
  }

  silentSince(beforeMs: number): string[] {
    return this.#workers.silentSince(beforeMs)
  }

  saved(): SavedSchedule {
    return {
      runs: [...this.#runs.values()].map(savedRun),
      workers: this.#workers.saved(),
      ...this.#queues.saved(),
      providers: this.#providers.saved(),
      limits: this.#limits,
    }
  }

  #setLimits(limits: SavedSchedule['limits']): void {
    this.#limits = limits
    this.#providers.setLimits(limits)
    this.#queues.setLimits(limits)
  }

  #submitted({ atMs, run: request }: ScheduleFact & { kind: 'run-submitted' }): void {
    if (this.#runs.has(request.runId)) return
    const run = runOf({ request, submittedMs: atMs, attempt: 0, stage: { kind: 'queued' } })
    this.#runs.set(request.runId, run)
    this.#folders.queued(run)
  }

  #goesOn(run: Run): void {
    this.#runs.set(run.request.runId, run)
    if (run.attempt > 0) this.#folders.entered(run)
    if (run.stage.kind !== 'placed') return
    this.#queues.placed(run)
    this.#providers.goesOn(run.request.provider)
    this.#workers.took(run.stage.workerId, run.request.runId)
  }

  #withAttempt({ runId, attempt }: { runId: string; attempt: number }, change: (run: Run) => void): void {
    const run = this.#runs.get(runId)
    if (run?.attempt === attempt) change(run)
  }

  #place(run: Run, nowMs: number): Placement {
    const worker = this.#workers.pick(run.request, run.lastWorkerId)
    if (worker === undefined) throw new Error(`run ${run.request.runId} was chosen, and no worker fits it`)
    const { workerId, version } = worker
    this.#folders.left(run)
    run.stage = { kind: 'placed', workerId, sinceMs: nowMs }
    run.attempt += 1
    run.lastWorkerId = workerId
    pinVersion(run, version)
    if (run.attempt === 1) this.#folders.entered(run)
    this.#queues.placed(run)
    this.#providers.placed(run.request.provider, nowMs)
    this.#workers.took(workerId, run.request.runId)
    return { runId: run.request.runId, workerId, attempt: run.attempt }
  }

  #release(run: Run, stage: ScheduledRun['stage'], nowMs: number): void {
    if (run.stage.kind !== 'placed') return
    const { workerId, sinceMs } = run.stage
    this.#workers.released(workerId, run.request.runId)
    this.#providers.released(run.request.provider)
    this.#queues.released(run, nowMs - sinceMs)
    run.stage = stage
    this.#folders.changed(run)
  }

  #queueAgain(run: Run, nowMs: number): void {
    if (run.stage.kind === 'queued') return
    this.#release(run, { kind: 'queued' }, nowMs)
    run.stage = { kind: 'queued' }
    this.#folders.queued(run)
  }

  #finished({ runId, atMs }: { runId: string; atMs: number }): void {
    const run = this.#runs.get(runId)
    if (run === undefined) return
    if (run.stage.kind === 'queued') this.#folders.left(run)
    this.#release(run, { kind: 'waiting' }, atMs)
    this.#folders.over(run)
    this.#runs.delete(runId)
  }

  #lost({ workerId, atMs }: { workerId: string; atMs: number }): void {
    for (const { runId, attempt } of this.runsOf(workerId))
      this.#withAttempt({ runId, attempt }, (run) => this.#queueAgain(run, atMs))
    this.#workers.lost(workerId)
  }

  #fittingLanes(): { lane: ReturnType<Queues['lanes']>[number]; atMs: number }[] {
    const fitting = this.#queues.lanes().filter(({ needs }) => this.#workers.hasFree(needs))
    return fitting.map((lane) => ({ lane, atMs: this.#providers.opensAtMs(lane.provider) }))
  }

  #lookAgainAtMs(): number | undefined {
    if (this.#workers.areFull) return undefined
    const times = this.#fittingLanes().map(({ atMs }) => atMs)
    const earliest = Math.min(...times)
    return Number.isFinite(earliest) ? Math.ceil(earliest) : undefined
  }
}

function savedRun({ request, submittedMs, attempt, lastWorkerId, stage }: Run): ScheduledRun {
  return { request, submittedMs, attempt, stage, ...(lastWorkerId === undefined ? {} : { lastWorkerId }) }
}
