import { messageOf, UsageError } from '@donecheck/engine/internal/base'
import { goalControl, type TopUp } from '@donecheck/engine/internal/loop/compose'
import type { Approver } from '@donecheck/engine/internal/ports/gate'
import type { RunEvent } from '@donecheck/core/internal/events'
import { fold, type RunState } from '@donecheck/core/internal/state'
import type { Beginning, ChatHost, Watcher, Work } from '../host.ts'
import { type Steps, WrittenPaths } from './steps.ts'
import { firstLines, oneLine } from '@donecheck/core/internal/base'
import { resumableOutcomes } from '@donecheck/core/internal/decide/stops'

interface RunsEvents extends Watcher {
  readonly said: (text: string) => void
  readonly queued: (text: string) => void
  /** @param error undefined if the run ended normally */
  readonly ended: (error: unknown) => void
  readonly begun: () => void
  readonly givenBack: (words: string) => void
}

const budgetSpent =
  'the budget of this run is spent: /budget turns=10 (or tokens, cost-usd, seconds) gives more'

export class Runs {
  readonly #host: ChatHost
  readonly #steps: Steps
  readonly #approver: Approver
  readonly #events: RunsEvents
  #run: RunState | undefined
  #asked = ''
  #finished: readonly Finished[] = []
  #notes: readonly string[] = []
  #topUp: TopUp | undefined
  #isWorking = false
  #work: Work | undefined
  #isStopped = false
  /** Whether the active run has stopped and only cleans up, or its step is being stored for /undo. */
  #hasEnded = false
  #written: WrittenPaths
  /** Words typed before the first event, when a run cannot be told anything yet. */
  #early: readonly string[] = []
  /** Resolves when no run is active. */
  over: Promise<void> = Promise.resolve()

  constructor(host: ChatHost, steps: Steps, approver: Approver, events: RunsEvents) {
    this.#host = host
    this.#written = new WrittenPaths(host.workFolder)
    this.#steps = steps
    this.#approver = approver
    this.#events = events
  }

  get run(): RunState | undefined {
    return this.#run
  }

  get isWorking(): boolean {
    return this.#isWorking
  }

  note(text: string): void {
    this.#notes = [...this.#notes, text]
  }

  addTopUp(topUp: TopUp): void {
    this.#topUp = { ...this.#topUp, ...topUp }
  }

  /** @returns false if no run is active, or the active one has ended and only cleans up */
  interrupt(): boolean {
    this.#isStopped = true
    const canStop = this.#isWorking && !this.#hasEnded
    if (canStop) this.#work?.interrupt()
    return canStop
  }

  /** @throws {UsageError} while another run is active */
  async pick(runId: string): Promise<RunState> {
    if (this.#isWorking) throw new UsageError('it is at work: stop the turn first, with Ctrl-C')
    const run = fold(await this.#host.store.read(runId))
    if (run === undefined) throw new UsageError(`run ${runId} has no events`)
    this.#run = run
    this.#asked = run.task
    return run
  }

  /** @throws {UsageError} if the budget is spent */
  async say(words: string): Promise<void> {
    if (this.#isWorking) return this.#steer(words)
    const run = this.#run
    const way = wayOn(run, this.#topUp !== undefined)
    if (way === 'needs-budget') throw new UsageError(budgetSpent)
    this.#events.said(words)
    if (way === 'new' || run === undefined) {
      this.#beginNew(words)
      return
    }
    await this.#tell(run.runId, [words, ...this.#notes].join('\n\n'))
    this.#begin({ kind: 'resume', runId: run.runId, topUp: this.#topUp })
  }

  goOn(): void {
    if (this.#isWorking) throw new UsageError('it is at work already')
    if (this.#run === undefined) throw new UsageError('there is no run to go on with: say what is to be done')
    const way = wayOn(this.#run, this.#topUp !== undefined)
    if (way === 'needs-budget') throw new UsageError(budgetSpent)
    if (way === 'new')
      throw new UsageError('this run is over: your next words begin another one, which is told of it')
    this.#begin({ kind: 'resume', runId: this.#run.runId, topUp: this.#topUp })
  }

  /** The message waits in the store until the run reads it; if the run has ended, the next one does. */
  async #steer(words: string): Promise<void> {
    this.#events.queued(words)
    if (this.#run === undefined) this.#early = [...this.#early, words]
    else await this.#tell(this.#run.runId, words).catch(() => undefined)
  }

  async #tell(runId: string, text: string): Promise<void> {
    await goalControl(this.#host.store).change(
      runId,
      { kind: 'message-given', text },
      { by: this.#host.person },
    )
  }

  #beginNew(words: string): void {
    if (this.#run !== undefined)
      this.#finished = [...this.#finished, { asked: this.#asked, state: this.#run }]
    this.#run = undefined
    this.#asked = words
    this.#begin({ kind: 'new', task: words, context: contextOf(this.#finished, this.#notes) })
  }

  #begin(beginning: Beginning): void {
    this.#notes = []
    this.#topUp = undefined
    this.#isWorking = true
    this.#isStopped = false
    this.#hasEnded = false
    this.#events.begun()
    this.over = this.#conduct(beginning)
  }

  async #conduct(beginning: Beginning): Promise<void> {
    let failure: unknown
    this.#written = new WrittenPaths(this.#host.workFolder)
    try {
      await this.#steps.begin()
      const watcher = {
        ...this.#events,
        event: (event: RunEvent, state: RunState) => this.#seen(event, state),
      }
      this.#work = this.#host.begin(beginning, watcher, this.#approver)
      if (this.#isStopped) this.#work.interrupt()
      await this.#work.ended
    } catch (error) {
      failure = error
      if (this.#run === undefined) this.#events.givenBack(this.#asked)
    }
    this.#work = undefined
    this.#hasEnded = true
    await this.#steps
      .end(this.#written.paths)
      .catch((error: unknown) => this.#events.notice(messageOf(error)))
    this.#isWorking = false
    this.#events.ended(failure)
  }

  #seen(event: RunEvent, state: RunState): void {
    const early = this.#run === undefined ? this.#early : []
    this.#run = state
    this.#hasEnded = state.phase.kind === 'stopped'
    this.#written.note(event)
    this.#events.event(event, state)
    if (early.length === 0) return
    this.#early = []
    void this.#tell(state.runId, early.join('\n\n')).catch(() => undefined)
  }

  /** Handles messages that came too late for the run that has ended. */
  async takeUp(words: readonly string[]): Promise<'waits' | 'goes-on' | 'begins'> {
    if (this.#isStopped) return 'waits'
    const way = wayOn(this.#run, false)
    if (way === 'needs-budget') return 'waits'
    if (way === 'resume') {
      this.goOn()
      return 'goes-on'
    }
    await this.say(words.join('\n\n'))
    return 'begins'
  }
}

export interface Finished {
  readonly asked: string
  readonly state: RunState
}

/** Characters; the latest runs that fit. */
const maxLength = 8000

export function contextOf(finished: readonly Finished[], notes: readonly string[]): string {
  const entries: string[] = []
  let room = maxLength
  for (const { asked, state } of finished.toReversed()) {
    const text = entryOf(asked, state)
    if (text.length > room) break
    room -= text.length
    entries.unshift(text)
  }
  return [
    ...(entries.length === 0
      ? []
      : ['What went before in this session, for you to know; it is over:', ...entries]),
    ...notes,
  ].join('\n')
}

function entryOf(asked: string, { phase, lastText }: RunState): string {
  const end =
    phase.kind === 'stopped'
      ? `${phase.transition.outcome}: ${oneLine(phase.transition.message, 200)}`
      : 'broken off'
  const answer = lastText.trim() === '' ? '' : `\n  answer: ${firstLines(lastText, 12, '    ').trim()}`
  return `- asked: ${oneLine(asked, 600)}\n  ended: ${end}${answer}`
}

/** `resume` continues the conversation; `needs-budget` can do so after a top-up. */
type WayOn = 'resume' | 'new' | 'needs-budget'

export function wayOn(run: RunState | undefined, hasTopUp: boolean): WayOn {
  if (run === undefined || run.goal.isCleared) return 'new'
  if (run.phase.kind !== 'stopped') return 'resume'
  const { outcome, reason, cap } = run.phase.transition
  if (resumableOutcomes.includes(outcome) || reason === 'model_ended') return 'resume'
  if (reason !== 'hard_cap' || cap === 'blocked_stops') return 'new'
  return hasTopUp ? 'resume' : 'needs-budget'
}
