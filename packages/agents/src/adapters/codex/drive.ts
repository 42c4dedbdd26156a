import { realpathSync } from 'node:fs'
import {
  cliDriveKeys,
  failedTurn,
  settlesWithin,
  startJsonLines,
  streamedDrive,
  type AgentSignal,
  type AgentTurn,
  type CliDriveOptions,
  type JsonLinesProcess,
  type TurnStart,
} from '../../protocol/stream/index.ts'
import { assertKnownKeys } from '@donecheck/engine/base'
import type { Drive } from '@donecheck/engine/ports/loop'
import { inheritedEnvironment } from '@donecheck/engine/process'
import { isConfined, readAppServerWords, type AppServerChoices } from './app-server/arguments.ts'
import { AppServerPeer } from './app-server/peer.ts'
import { openThread, type Opened } from './app-server/thread.ts'
import { turnIn } from './app-server/turn.ts'
import { ThreadRecords } from './app-server/thread-records.ts'

/** Its words are options of Codex, which win over what we would choose. */
export type CodexDriveOptions = CliDriveOptions

/**
 * Codex as an outer loop over `codex app-server`, each turn a process of its own in one thread: Codex asks before every command
 * and change, and our gate answers; what each reply of the model has used is known while the turn goes on, so that caps hold
 * within it; a turn is interrupted in order; and goals are seen, which Codex would otherwise pursue by itself without an end and
 * call complete without a check. It dies with us.
 *
 * @throws {UsageError} for words that the app-server cannot take, and a bound that can never work
 */
export function codexDrive(options: CodexDriveOptions): Drive {
  assertKnownKeys(options, cliDriveKeys, 'codexDrive')
  const { timeoutMs, words = [], environment = inheritedEnvironment() } = options
  const choices = readAppServerWords(words)
  const drive = streamedDrive({
    description: {
      name: 'codex',
      reportsUsage: true,
      prices: null,
      maxOutputTokens: 32_000,
      contextWindowTokens: 258_400,
    },
    tellsSteps: true,
    timeoutMs,
    startTurn: appServerTurns({ folder: realFolder(options.folder), environment, choices }),
  })
  return { ...drive, own: { ...drive.own, sandbox: { isConfined: isConfined(choices) } } }
}

/** Codex names files by their real place. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

interface ServerOptions {
  /** Absolute. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly choices: AppServerChoices
}

/** Time to end by itself once its input is closed: then it also ends what its commands have left behind. */
const leaveMs = 1500

/** Each turn has a process of its own: while the checks run, nothing of the agent does. */
function appServerTurns(options: ServerOptions): (start: TurnStart) => AgentTurn {
  const untold = new Map<string, string>()
  return (start) => {
    const turn = new TurnAtWork(options, start, untold)
    return { signals: turn.signals(), end: () => turn.end() }
  }
}

class TurnAtWork {
  readonly #options: ServerOptions
  readonly #start: TurnStart
  readonly #untold: Map<string, string>
  readonly #program: JsonLinesProcess
  readonly #peer: AppServerPeer
  /** What can be interrupted. */
  #running: { readonly threadId: string; readonly turnId: string } | undefined

  constructor(options: ServerOptions, start: TurnStart, untold: Map<string, string>) {
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
        yield failedTurn(opened.failure)
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
