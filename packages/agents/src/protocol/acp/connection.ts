import { setTimeout as pause } from 'node:timers/promises'
import { fieldOf, isTrueIn, numberIn, recordsIn, textIn, type Payload } from '../host/index.ts'
import type { AgentFailure } from '@donecheck/core/internal/events'
import { donecheckVersion } from '@donecheck/engine/internal/base'
import type { StartRequest } from '@donecheck/engine/internal/system/process'
import {
  configurationFailure,
  RpcPeer,
  startJsonLines,
  type JsonLinesProcess,
  type RpcReply,
} from '../stream/index.ts'
import { failureOf } from './turn-end.ts'

interface AcpAgentOptions {
  readonly start: Omit<StartRequest, 'keepsInputOpen'>
  readonly line: string
  readonly startTimeoutMs: number
}

type Opened =
  | { readonly kind: 'open'; readonly sessionId: string }
  | { readonly kind: 'session-lost'; readonly message: string }
  | { readonly kind: 'failed'; readonly failure: AgentFailure }

type NoResult = Exclude<RpcReply, { kind: 'result' }>

/** Time for an agent to replay a loaded session, or to save an ended one. */
const quietMs = 250
const maxReplayMs = 5000

const protocolVersion = 1
/** Offers no file system and no terminal: such a write would arrive during a running call. */
const initializeParams = {
  protocolVersion,
  clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  clientInfo: { name: 'donecheck', title: 'donecheck', version: donecheckVersion },
}

export class AcpConnection {
  readonly peer: RpcPeer
  onStderr: (line: string) => void = () => undefined
  readonly #options: AcpAgentOptions
  readonly #program: JsonLinesProcess
  #greeting: Payload | undefined
  #sessionId: string | undefined
  #hasEnded = false

  constructor(options: AcpAgentOptions) {
    this.#options = options
    this.#program = startJsonLines({ ...options.start, keepsInputOpen: true })
    this.peer = new RpcPeer(this.#program, { jsonrpc: '2.0' })
    this.#program.onStderr((line) => this.onStderr(line))
    void this.#program.ended.then(() => {
      this.#hasEnded = true
    })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  async open(wanted: string | undefined): Promise<Opened> {
    const failure = await this.#greet()
    if (failure !== undefined) return { kind: 'failed', failure }
    if (wanted === undefined) return this.#begin()
    if (wanted === this.#sessionId) return { kind: 'open', sessionId: wanted }
    const method = this.#continueMethod
    if (method === undefined)
      return { kind: 'session-lost', message: `${this.#name} cannot go on with a session` }
    const reply = await this.#request(method, { ...this.#place, sessionId: wanted })
    if (reply.kind === 'error') return { kind: 'session-lost', message: reply.message }
    if (reply.kind !== 'result') return this.#failed(method, reply)
    if (method === 'session/load') await this.#discard(maxReplayMs)
    this.#sessionId = wanted
    return { kind: 'open', sessionId: wanted }
  }

  prompt(text: string): Promise<number> {
    return this.peer.send('session/prompt', this.#ofSession({ prompt: [{ type: 'text', text }] }))
  }

  cancel(): Promise<void> {
    return this.peer.notify('session/cancel', this.#ofSession({}))
  }

  /** Suspends its process group, so that the checks see a stable tree. */
  async rest(): Promise<void> {
    await this.#discard(quietMs)
    this.#signal('SIGSTOP')
    this.#program.hold(false)
  }

  wake(): void {
    this.#signal('SIGCONT')
    this.#program.hold(true)
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    // A stopped process cannot handle the signal that ends it.
    this.wake()
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

  get #continueMethod(): 'session/resume' | 'session/load' | undefined {
    const can = this.#greeting?.['agentCapabilities']
    if ((fieldOf(fieldOf(can, 'sessionCapabilities'), 'resume') ?? null) !== null) return 'session/resume'
    return isTrueIn(can, 'loadSession') ? 'session/load' : undefined
  }

  #ofSession<More extends object>(more: More) {
    return { sessionId: this.#sessionId ?? '', ...more }
  }

  #request(method: string, params: Parameters<RpcPeer['request']>[1]): Promise<RpcReply> {
    return this.peer.request(method, params, this.#options.startTimeoutMs)
  }

  async #greet(): Promise<AgentFailure | undefined> {
    if (this.#greeting !== undefined) return undefined
    const reply = await this.#request('initialize', initializeParams)
    if (reply.kind !== 'result') return this.#notStarted('initialize', reply)
    if (numberIn(reply.result, 'protocolVersion') !== protocolVersion)
      return configurationFailure(`${this.#name} speaks another version of the Agent Client Protocol than 1`)
    this.#greeting = reply.result
    return undefined
  }

  async #begin(): Promise<Opened> {
    const method = 'session/new'
    const reply = await this.#request(method, this.#place)
    if (reply.kind !== 'result') return this.#failed(method, reply)
    const sessionId = textIn(reply.result, 'sessionId')
    const problem = `${this.#name} opened a session without a name`
    if (sessionId === undefined) return { kind: 'failed', failure: configurationFailure(problem) }
    this.#sessionId = sessionId
    return { kind: 'open', sessionId }
  }

  async #failed(method: string, reply: NoResult): Promise<Opened> {
    return { kind: 'failed', failure: await this.#notStarted(method, reply) }
  }

  async #notStarted(method: string, reply: NoResult): Promise<AgentFailure> {
    if (reply.kind === 'error') return this.#withLogins(failureOf(method, reply))
    const { noise } = this.peer
    const printed = noise === undefined ? '' : `; it printed: ${noise}`
    return configurationFailure(
      reply.kind === 'late'
        ? `${this.#name} did not answer ${method} within ${this.#options.startTimeoutMs / 1000} s${printed}. Does it speak the Agent Client Protocol on its standard input and output?`
        : `${this.#name} cannot be run: ${await this.problem()}${printed}. Install it, put it on PATH, or correct the command`,
    )
  }

  #withLogins(failure: AgentFailure): AgentFailure {
    const logins = recordsIn(this.#greeting, 'authMethods').flatMap((method) => textIn(method, 'name') ?? [])
    if (failure.kind !== 'configuration' || logins.length === 0) return failure
    return { ...failure, message: `${failure.message}. It offers: ${logins.join(', ')}` }
  }

  async #discard(maxMs: number): Promise<void> {
    const untilMs = performance.now() + maxMs
    while (performance.now() < untilMs) {
      const message = await this.peer.next(quietMs)
      if (message === 'late' || message === 'gone') return
    }
  }

  #signal(name: NodeJS.Signals): void {
    const { groupId } = this.#program
    if (groupId === undefined || (this.#hasEnded && name === 'SIGSTOP')) return
    try {
      process.kill(-groupId, name)
    } catch {
      // It has just ended.
    }
  }
}
