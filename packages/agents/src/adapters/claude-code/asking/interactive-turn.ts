import {
  configurationFailure,
  failedTurn,
  waitForEnd,
  startJsonLines,
  type AgentSignal,
  type AgentTurn,
  type JsonLine,
  type JsonLinesProcess,
} from '../../../protocol/stream/index.ts'
import { settlesWithin, type StartRequest } from '@donecheck/engine/internal/system/process'
import { PermissionRequests } from './permission-requests.ts'
import {
  controlOf,
  interruption,
  opening,
  openingId,
  promptLine,
  type ControlMessage,
} from './control-words.ts'
import type { ClaudeTranslator } from '../translate-stream.ts'

interface TurnOptions {
  readonly request: Omit<StartRequest, 'stdin' | 'keepsInputOpen'>
  readonly prompt: string
  readonly translator: ClaudeTranslator
  readonly first: readonly AgentSignal[]
  readonly ownPlaces: readonly string[]
}

const openingMs = 60_000
/** A reply that produces nothing for this long has stalled. */
const stalledMs = 3000
/** After its result it may start again because of background work. */
const overMs = 150
const leaveMs = 2000
const interruptMs = 1500
const keptNoise = 5

const useNewer = 'Use a newer Claude Code, one that asks before its calls'

type Stage = 'opening' | 'asked' | 'closed' | 'ended'

export class InteractiveTurn implements AgentTurn {
  readonly signals: AsyncIterable<AgentSignal>
  readonly #turn: TurnOptions
  readonly #program: JsonLinesProcess
  readonly #calls: PermissionRequests
  readonly #noise: string[] = []
  #stage: Stage = 'opening'
  #whyNotAsked: string | undefined

  constructor(turn: TurnOptions) {
    this.#turn = turn
    this.#program = startJsonLines({ ...turn.request, keepsInputOpen: true })
    const { ownPlaces, request } = turn
    const place = { workFolder: request.folder, folder: request.folder, ownPlaces }
    this.#calls = new PermissionRequests(place, (line) => this.#program.write(line))
    this.signals = this.#read()
  }

  async *#read(): AsyncGenerator<AgentSignal> {
    yield* this.#turn.first
    void this.#program.write(opening)
    const lines = this.#program.lines[Symbol.asyncIterator]()
    let next = lines.next()
    while (this.#whyNotAsked === undefined) {
      const patienceMs = this.#patienceMs()
      if (patienceMs !== undefined && !(await settlesWithin(next, patienceMs))) {
        yield* this.#silent()
        continue
      }
      const line = await next
      if (line.done === true) break
      next = lines.next()
      yield* this.#heard(line.value)
    }
    yield* this.#last()
  }

  async end(): Promise<void> {
    if (this.#stage === 'asked') void this.#program.write(interruption)
    this.#program.closeInput()
    if (this.#stage !== 'opening') await settlesWithin(this.#program.ended, interruptMs)
    await this.#program.end()
  }

  #patienceMs(): number | undefined {
    switch (this.#stage) {
      case 'opening':
        return openingMs
      case 'asked':
        if (this.#calls.isHeldBack) return stalledMs
        return this.#turn.translator.isOver ? overMs : undefined
      case 'closed':
        return this.#turn.translator.isOver ? leaveMs : undefined
      case 'ended':
        return undefined
    }
  }

  async *#silent(): AsyncGenerator<AgentSignal> {
    if (this.#stage === 'opening') this.#whyNotAsked = `it said nothing for ${openingMs / 1000} s`
    else if (this.#calls.isHeldBack) yield* this.#calls.release()
    else if (this.#stage === 'asked') {
      this.#stage = 'closed'
      this.#program.closeInput()
    } else {
      this.#stage = 'ended'
      await this.#program.end()
    }
  }

  async *#heard(line: JsonLine): AsyncGenerator<AgentSignal> {
    if (line.kind === 'noise') {
      if (this.#noise.push(line.text) > keptNoise) this.#noise.shift()
      return
    }
    const control = controlOf(line.value)
    if (control?.kind === 'answered') this.#answered(control)
    else if (control !== undefined) yield* this.#calls.onRequest(control)
    else {
      for (const signal of this.#turn.translator.line(line.value)) yield* this.#calls.onSignal(signal)
      this.#calls.beginIn(this.#turn.translator.permissionMode)
    }
  }

  /** Sends the prompt only once Claude Code has confirmed our hooks. */
  #answered(answered: Extract<ControlMessage, { kind: 'answered' }>): void {
    if (answered.requestId !== openingId || this.#stage !== 'opening') return
    if (answered.problem !== undefined) {
      this.#whyNotAsked = answered.problem
      return
    }
    this.#stage = 'asked'
    void this.#program.write(promptLine(this.#turn.prompt))
  }

  async *#last(): AsyncGenerator<AgentSignal> {
    if (this.#whyNotAsked !== undefined) await this.#program.end()
    const end = await waitForEnd(this.#program)
    if (this.#stage === 'opening' && knowsNoAsking(end.stderrTail))
      this.#whyNotAsked ??= 'it knows no such words'
    if (this.#whyNotAsked !== undefined) {
      const why = `Claude Code does not ask before its calls: ${this.#whyNotAsked}`
      yield failedTurn(configurationFailure(`${why}. ${useNewer}`))
      return
    }
    yield* this.#calls.release()
    yield this.#turn.translator.end(end, this.#noise)
  }
}

function knowsNoAsking(stderr: string): boolean {
  return /unknown option '--(?:permission-prompt-tool|input-format)|control_request/.test(stderr)
}
