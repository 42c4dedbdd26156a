/**
 * The fleet under a clock of its own: real schedule, real decisions, drawn times. It is deterministic by its seed, and it
 * watches the schedule by the plain rules while it goes on.
 */
import type { RunState } from '@donecheck/core/internal/state'
import {
  openSchedule,
  type Placement,
  type Schedule,
  type ScheduleFact,
} from '@donecheck/fleet/internal/schedule'
import { PlainFleet } from '../../../test/fleet/kit/plain-fleet.ts'
import { Clock } from './clock.ts'
import { DecidedRun, type Pause, type Work } from './decided-run.ts'
import type { Fleet } from './fleet.ts'
import { Provider } from './provider.ts'
import { randomOf, untilNext, type Random } from './random.ts'
import { Tally, type Figures } from './tally.ts'
import { simulatedRun, type SimulatedRun as Run } from './simulated-run.ts'
import { modelMs, workMs, worldOf } from './workload.ts'

type Happening =
  | { readonly kind: 'submit'; readonly index: number }
  | { readonly kind: 'call' | 'end' | 'ready'; readonly run: Run; readonly attempt: number }
  | { readonly kind: 'look' }
  | {
      readonly kind: 'worker-dies' | 'worker-lost' | 'worker-starts'
      readonly index: number
      readonly life: number
    }

/** Each so many times the plain rules are asked about all runs, which costs as much as there are runs. */
const plainLookEvery = 5_000

const stuckAfterMs = 7 * 24 * 3_600_000

/** What is used of a schedule. */
export type Placing = Pick<Schedule, 'tell' | 'place' | 'runsOf'>

export function simulate(fleet: Fleet, schedule: Placing = openSchedule()): Figures {
  return new Simulation(fleet, schedule).figures()
}

class Simulation {
  readonly #fleet: Fleet
  readonly #schedule: Placing
  readonly #plain = new PlainFleet()
  readonly #clock = new Clock<Happening>()
  readonly #provider: Provider
  readonly #tally: Tally
  readonly #arrivals: Random
  readonly #runs = new Map<string, Run>()
  readonly #deadWorkers = new Set<string>()
  #nextLookMs = Infinity
  #lastEndMs = 0
  #looks = 0

  constructor(fleet: Fleet, schedule: Placing) {
    this.#fleet = fleet
    this.#schedule = schedule
    this.#provider = new Provider(fleet.provider, randomOf(fleet.seed, 2))
    this.#tally = new Tally(fleet.workers * fleet.slotsPerWorker)
    this.#arrivals = randomOf(fleet.seed, 3)
  }

  figures(): Figures {
    this.#tell({ kind: 'limits-set', atMs: 0, limits: this.#fleet.limits })
    for (let index = 0; index < this.#fleet.workers; index += 1) this.#startWorker(index, 0)
    this.#clock.plan(0, { kind: 'submit', index: 0 })
    for (let happening = this.#clock.next(); happening !== undefined; happening = this.#clock.next()) {
      this.#happens(happening)
      // Workers come and go for ever.
      if (this.#tally.ended === this.#fleet.runs || this.#isStuck()) break
    }
    return this.#tally.figures(this.#clock.nowMs)
  }

  /** Nothing that is drawn takes as long. */
  #isStuck(): boolean {
    if (this.#now - this.#lastEndMs < stuckAfterMs) return false
    this.#tally.problems.push(`${this.#runs.size} runs do not end`)
    return true
  }

  #happens(happening: Happening): void {
    switch (happening.kind) {
      case 'submit':
        this.#submit(happening.index)
        break
      case 'call':
        if (this.#isWithWorker(happening)) this.#call(happening.run)
        break
      case 'end':
        if (this.#isWithWorker(happening)) this.#end(happening.run, happening.run.trace.end.reason)
        break
      case 'ready':
        this.#ready(happening.run)
        break
      case 'look':
        this.#nextLookMs = Infinity
        this.#place()
        break
      case 'worker-dies':
        this.#deadWorkers.add(workerIdOf(happening))
        this.#clock.plan(this.#now + this.#fleet.lostAfterMs, { ...happening, kind: 'worker-lost' })
        break
      case 'worker-lost':
        this.#loseWorker(happening)
        break
      case 'worker-starts':
        this.#startWorker(happening.index, happening.life)
    }
  }

  get #now(): number {
    return this.#clock.nowMs
  }

  #tell(fact: ScheduleFact): void {
    this.#schedule.tell(fact)
    this.#plain.tell(fact)
    this.#tally.facts += 1
  }

  #place(): void {
    const nowMs = this.#now
    const { placements, lookAgainAtMs } = this.#schedule.place(nowMs)
    for (const placement of placements) {
      this.#tally.problems.push(...this.#plain.place(placement, nowMs))
      this.#begin(placement)
    }
    this.#looks += 1
    if (this.#looks % plainLookEvery === 0) this.#tally.problems.push(...this.#plain.forgotten(nowMs))
    if (lookAgainAtMs === undefined || lookAgainAtMs >= this.#nextLookMs) return
    this.#nextLookMs = lookAgainAtMs
    this.#clock.plan(lookAgainAtMs, { kind: 'look' })
  }

  #submit(index: number): void {
    const { fleet, run } = { fleet: this.#fleet, run: simulatedRun(this.#fleet, index, this.#now) }
    this.#runs.set(run.runId, run)
    const folder =
      run.random() < fleet.shareInFolders ? `folder ${index % Math.ceil(fleet.runs / 10)}` : undefined
    this.#tell({
      kind: 'run-submitted',
      atMs: this.#now,
      run: { runId: run.runId, tenant: run.tenant, priority: 0, labels: [], provider: 'model', folder },
    })
    this.#place()
    if (index + 1 >= fleet.runs) return
    const gapMs =
      fleet.runsPerHour === Infinity ? 0 : untilNext(this.#arrivals, 3_600_000 / fleet.runsPerHour)
    this.#clock.plan(this.#now + gapMs, { kind: 'submit', index: index + 1 })
  }

  #begin({ runId, attempt, workerId }: Placement): void {
    const run = this.#runs.get(runId)
    if (run === undefined) return
    this.#tally.waited(run.tenant, this.#now - run.askedMs, attempt === 1)
    Object.assign(run, { attempt, placedMs: this.#now })
    // Whoever is given to a worker that has died comes back when that is noticed.
    if (!this.#deadWorkers.has(workerId)) this.#planCall(run, 0)
  }

  /** After a call of the model that takes so long, and the work that follows. */
  #planCall(run: Run, afterMs: number): void {
    const next = run.astray === undefined ? (run.trace.steps[run.at] ?? run.trace.end) : noWork
    const kind = run.at < run.trace.steps.length ? 'call' : 'end'
    const atMs = this.#now + afterMs + workMs(run.random, next, this.#fleet.pace)
    this.#clock.plan(atMs, { kind, run, attempt: run.attempt })
  }

  #call(run: Run): void {
    const step = run.trace.steps[run.at]
    if (step === undefined) return
    if (run.asksAt === run.at) {
      run.asksAt = undefined
      this.#wait(run, untilNext(run.random, this.#fleet.answerMs))
      return
    }
    this.#tally.calls += 1
    const failure = this.#provider.ask(this.#now)
    if (failure === undefined) {
      Object.assign(run, { at: run.at + 1, astray: undefined })
      this.#planCall(run, modelMs(run.random, step, this.#fleet.pace))
      return
    }
    this.#tally.refused += 1
    const pause = this.#decided(run, step.state, (decided) => {
      decided.failed(failure)
    })
    if (pause.kind === 'stopped') this.#end(run, pause.transition.reason)
    else this.#sendAway(run, pause.delayMs)
  }

  #sendAway(run: Run, delayMs: number): void {
    if (delayMs <= this.#fleet.heldMs) {
      this.#planCall(run, delayMs)
      return
    }
    const atMs = this.#now
    if (delayMs >= this.#fleet.toldFromMs)
      this.#tell({ kind: 'provider-limited', atMs, provider: 'model', untilMs: atMs + delayMs })
    this.#wait(run, delayMs)
  }

  /** What the product itself makes of a call that was not answered. */
  #decided(run: Run, before: RunState, happens: (decided: DecidedRun) => void): Pause {
    const decided = new DecidedRun(worldOf(run.random), run.astray ?? before)
    happens(decided)
    const pause = decided.goOn()
    run.astray = decided.state
    return pause
  }

  #wait(run: Run, ms: number): void {
    this.#leaveWorker(run)
    const { runId, attempt } = run
    this.#tell({ kind: 'run-waiting', atMs: this.#now, runId, attempt })
    this.#clock.plan(this.#now + ms, { kind: 'ready', run, attempt })
    this.#place()
  }

  #ready(run: Run): void {
    run.askedMs = this.#now
    this.#tell({ kind: 'run-ready', atMs: this.#now, runId: run.runId, attempt: run.attempt })
    this.#place()
  }

  #end(run: Run, reason: string): void {
    this.#leaveWorker(run)
    this.#tally.endedFor(reason)
    this.#lastEndMs = this.#now
    this.#runs.delete(run.runId)
    this.#tell({ kind: 'run-finished', atMs: this.#now, runId: run.runId })
    this.#place()
  }

  #leaveWorker(run: Run): void {
    this.#tally.busyMs += this.#now - (run.placedMs ?? this.#now)
    run.placedMs = undefined
  }

  #isWithWorker({ run, attempt }: { run: Run; attempt: number }): boolean {
    return run.placedMs !== undefined && run.attempt === attempt
  }

  #startWorker(index: number, life: number): void {
    const { slotsPerWorker: slots, workerLifeMs, seed } = this.#fleet
    const workerId = workerIdOf({ index, life })
    const random = randomOf(seed, 5, index, life)
    this.#tell({
      kind: 'worker-seen',
      atMs: this.#now,
      workerId,
      version: '1.0.0',
      labels: [],
      slots,
      draining: false,
    })
    if (workerLifeMs !== Infinity)
      this.#clock.plan(this.#now + untilNext(random, workerLifeMs), { kind: 'worker-dies', index, life })
    this.#place()
  }

  #loseWorker({ index, life }: { index: number; life: number }): void {
    const workerId = workerIdOf({ index, life })
    const { replacedAfterMs } = this.#fleet
    for (const { runId } of this.#schedule.runsOf(workerId)) {
      const run = this.#runs.get(runId)
      if (run === undefined) continue
      this.#leaveWorker(run)
      run.askedMs = this.#now
      this.#tally.lost += 1
      const step = run.trace.steps[run.at]
      if (step !== undefined)
        this.#decided(run, step.state, (decided) => {
          decided.lost()
        })
    }
    this.#tell({ kind: 'worker-lost', atMs: this.#now, workerId })
    this.#clock.plan(this.#now + replacedAfterMs, { kind: 'worker-starts', index, life: life + 1 })
    this.#place()
  }
}

const noWork: Work = { decisions: 1, toolCalls: 0, checks: 0 }

function workerIdOf({ index, life }: { index: number; life: number }): string {
  return `worker ${index} ${life}`
}
