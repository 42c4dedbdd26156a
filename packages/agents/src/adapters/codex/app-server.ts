/** Turns of Codex over `codex app-server`: seen call by call, asked before they act, and interrupted in flight. */
import {
  settlesWithin,
  startJsonLines,
  type AgentSignal,
  type AgentTurn,
  type JsonLinesProcess,
  type TurnStart,
} from '../../protocol/stream/index.ts'
import { AppServerPeer } from './app-server-peer.ts'
import { ThreadRecords } from './thread-records.ts'
import { openThread, type Opened } from './app-server-thread.ts'
import { turnEnd, turnIn } from './app-server-turn.ts'
import { isConfined, type AppServerChoices } from './app-server-arguments.ts'

export interface AppServerOptions {
  /** Absolute. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly choices: AppServerChoices
}

/** Time to end by itself once its input is closed: then it also ends what its commands have left behind. */
const leaveMs = 1500

/** Each turn has a process of its own: while the checks run, nothing of the agent does. */
export function appServerTurns(options: AppServerOptions): (start: TurnStart) => AgentTurn {
  const untold = new Map<string, string>()
  return (start) => {
    const turn = new TurnAtWork(options, start, untold)
    return { signals: turn.signals(), end: () => turn.end() }
  }
}

class TurnAtWork {
  readonly #options: AppServerOptions
  readonly #start: TurnStart
  readonly #untold: Map<string, string>
  readonly #program: JsonLinesProcess
  readonly #peer: AppServerPeer
  /** What can be interrupted. */
  #running: { readonly threadId: string; readonly turnId: string } | undefined

  constructor(options: AppServerOptions, start: TurnStart, untold: Map<string, string>) {
    this.#options = options
    this.#start = start
    this.#untold = untold
    const { folder, environment, choices } = options
    this.#program = startJsonLines({
      command: { words: ['codex', 'app-server', ...choices.flags] },
      ...{ folder, environment },
      keepsInputOpen: true,
    })
    this.#peer = new AppServerPeer(this.#program)
  }

  async *signals(): AsyncGenerator<AgentSignal> {
    const opened = await openThread(this.#peer, this.#options, this.#start)
    switch (opened.kind) {
      case 'opened':
        yield { kind: 'session', id: opened.threadId }
        yield* this.#turnIn(opened)
        return
      case 'lost':
        yield { kind: 'session-lost', message: opened.message }
        return
      case 'failed':
        yield turnEnd({ failure: opened.failure })
    }
  }

  async end(): Promise<void> {
    if (this.#running !== undefined) await this.#peer.send('turn/interrupt', { ...this.#running })
    this.#running = undefined
    this.#program.closeInput()
    await settlesWithin(this.#program.ended, leaveMs)
    await this.#program.end()
  }

  async *#turnIn({ threadId, rollout }: Extract<Opened, { kind: 'opened' }>): AsyncGenerator<AgentSignal> {
    const { folder, environment, choices } = this.#options
    const records = new ThreadRecords(environment)
    await records.begin(threadId, rollout)
    yield* turnIn({
      ...{ peer: this.#peer, records, folder, threadId, untold: this.#untold },
      prompt: this.#start.prompt,
      isConfined: isConfined(choices),
      onRunning: (turnId) => {
        this.#running = turnId === undefined ? undefined : { threadId, turnId }
      },
    })
  }
}
