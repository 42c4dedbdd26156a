import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { DriveFailure } from '@donecheck/core/events'
import type { StartRequest } from '@donecheck/engine/process'
import {
  startAgentProcess,
  type AgentProcess,
  abilitiesOf,
  connect,
  methods,
  initializeParams,
  type AgentAbilities,
  type Answer,
  type Connection,
  type Listener,
} from './connection.ts'
import { noAnswer } from './tool-call.ts'
import { failureOf } from './turn-end.ts'

interface LiveAgentOptions {
  readonly start: Omit<StartRequest, 'keepsInputOpen'>
  readonly line: string
  readonly startTimeoutMs: number
}

type Opened =
  | { readonly kind: 'open'; readonly sessionId: string }
  | { readonly kind: 'session-lost'; readonly message: string }
  | { readonly kind: 'failed'; readonly failure: DriveFailure }

/** A session that was told again may still be told when the agent calls it loaded: until it is silent for so long. */
const quietMs = 250
const maxReplayMs = 5000

const sessionOpened = z.object({ sessionId: z.string().min(1) })

const nobody: Listener = {
  onUpdate: () => undefined,
  onPermissionRequest: () => Promise.resolve(noAnswer),
  onStderr: () => undefined,
  room: () => Promise.resolve(),
}

export class LiveAgent {
  readonly #options: LiveAgentOptions
  readonly #program: AgentProcess
  readonly #connection: Connection
  #abilities: AgentAbilities | undefined
  #listener: Listener = nobody
  #sessionId: string | undefined
  #hasEnded = false

  constructor(options: LiveAgentOptions) {
    this.#options = options
    this.#program = startAgentProcess(options.start)
    this.#connection = connect(this.#program, () => this.#listener)
    void this.#program.ended.then(() => {
      this.#hasEnded = true
    })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Undefined when the agent is ready to open a session. */
  async greet(): Promise<DriveFailure | undefined> {
    if (this.#abilities !== undefined) return undefined
    const answer = await this.#connection.ask(
      methods.initialize,
      initializeParams,
      this.#options.startTimeoutMs,
    )
    if (answer.kind !== 'answered') return this.#notStarted('initialize', answer)
    this.#abilities = abilitiesOf(answer.result)
    if (this.#abilities !== undefined) return undefined
    return configuration(`${this.#name} speaks another version of the Agent Client Protocol than 1`)
  }

  /** @param wanted the session to continue; undefined begins a new one */
  async open(wanted: string | undefined): Promise<Opened> {
    if (wanted === undefined) return this.#begin()
    if (wanted === this.#sessionId) return { kind: 'open', sessionId: wanted }
    const how = this.#abilities?.continues
    if (how === undefined)
      return { kind: 'session-lost', message: `${this.#name} cannot go on with a session` }
    const method = how === 'resume' ? methods.resumeSession : methods.loadSession
    const replay = new Replay()
    this.#listener = { ...nobody, onUpdate: () => replay.noteActivity() }
    const params = { ...this.#place, sessionId: wanted }
    const answer = await this.#connection.ask(method, params, this.#options.startTimeoutMs)
    if (how === 'load' && answer.kind === 'answered') await replay.over()
    this.#listener = nobody
    if (answer.kind === 'closed' || answer.kind === 'late') return this.#failed(method, answer)
    if (answer.kind === 'refused') return { kind: 'session-lost', message: answer.message }
    this.#sessionId = wanted
    return { kind: 'open', sessionId: wanted }
  }

  async prompt(text: string, listener: Listener): Promise<Answer> {
    this.#listener = listener
    try {
      return await this.#connection.ask(
        methods.prompt,
        { sessionId: this.#sessionId, prompt: [{ type: 'text', text }] },
        null,
      )
    } finally {
      if (this.#listener === listener) this.#listener = nobody
    }
  }

  async cancel(): Promise<void> {
    await this.#connection.tell(methods.cancel, { sessionId: this.#sessionId })
  }

  freeze(): void {
    this.#program.freeze()
  }

  thaw(): void {
    this.#program.thaw()
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#program.end()
  }

  async problem(): Promise<string> {
    const ended = await Promise.race([this.#program.ended, pause(quietMs, undefined, { ref: false })])
    return ended === undefined ? 'it closed its output' : ended.problem
  }

  get #name(): string {
    return `the agent "${this.#options.line}"`
  }

  get #place() {
    return { cwd: this.#options.start.folder, mcpServers: [] }
  }

  async #begin(): Promise<Opened> {
    const method = methods.newSession
    const answer = await this.#connection.ask(method, this.#place, this.#options.startTimeoutMs)
    if (answer.kind !== 'answered') return this.#failed(method, answer)
    const parsed = sessionOpened.safeParse(answer.result)
    if (!parsed.success)
      return { kind: 'failed', failure: configuration(`${this.#name} opened a session without a name`) }
    this.#sessionId = parsed.data.sessionId
    return { kind: 'open', sessionId: this.#sessionId }
  }

  async #failed(method: string, answer: Exclude<Answer, { kind: 'answered' }>): Promise<Opened> {
    return { kind: 'failed', failure: await this.#notStarted(method, answer) }
  }

  async #notStarted(method: string, answer: Exclude<Answer, { kind: 'answered' }>): Promise<DriveFailure> {
    if (answer.kind === 'refused') return this.#withLogins(failureOf(method, answer))
    const noise = this.#connection.noise()
    const printed = noise === undefined ? '' : `; it printed: ${noise}`
    if (answer.kind === 'late')
      return configuration(
        `${this.#name} did not answer ${method} within ${this.#options.startTimeoutMs / 1000} s${printed}. Does it speak the Agent Client Protocol on its standard input and output?`,
      )
    const problem = await this.problem()
    return configuration(
      `${this.#name} cannot be run: ${problem}${printed}. Install it, put it on PATH, or correct the command`,
    )
  }

  #withLogins(failure: DriveFailure): DriveFailure {
    const logins = this.#abilities?.logins ?? []
    if (failure.kind !== 'configuration' || logins.length === 0) return failure
    return { ...failure, message: `${failure.message}. It offers: ${logins.join(', ')}` }
  }
}

function configuration(message: string): DriveFailure {
  return { kind: 'configuration', message, retryable: false }
}

class Replay {
  #lastMs = performance.now()

  noteActivity(): void {
    this.#lastMs = performance.now()
  }

  async over(): Promise<void> {
    const untilMs = performance.now() + maxReplayMs
    this.noteActivity()
    while (performance.now() < untilMs && performance.now() - this.#lastMs < quietMs) await pause(quietMs / 5)
  }
}
