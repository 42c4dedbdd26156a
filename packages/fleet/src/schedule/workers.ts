/** Which workers have a free slot, and which of them fits a run. */
import type { SavedSchedule } from './facts.ts'
import { compareText, Ranking } from './ranking.ts'

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

/** What a run needs of a worker. */
export interface Needs {
  readonly labels: readonly string[]
  readonly version?: string | undefined
}

export class Workers {
  readonly #workers = new Map<string, Worker>()
  readonly #crews = new Map<string, Crew>()
  #freeSlots = 0

  /** No run can be placed, whatever it needs. */
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
