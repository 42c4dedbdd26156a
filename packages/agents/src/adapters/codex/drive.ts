import { realpathSync } from 'node:fs'
import {
  cliDriveKeys,
  RpcPeer,
  startJsonLines,
  streamedDrive,
  type AgentSignal,
  type AgentTurn,
  type CliDriveOptions,
  type TurnStart,
} from '../../protocol/stream/index.ts'
import { assertKnownKeys } from '@donecheck/engine/base'
import type { Drive } from '@donecheck/engine/ports/loop'
import { inheritedEnvironment, settlesWithin } from '@donecheck/engine/process'
import { openThread, type AppServerChoices, readAppServerWords, isConfined } from './app-server/thread.ts'
import { turnIn } from './app-server/turn.ts'
import { ThreadRecords } from './app-server/thread-records.ts'

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
  const server = { folder: realFolder(options.folder), environment, choices }
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
    startTurn: (start) => startTurn(server, start),
  })
  return { ...drive, own: { ...drive.own, sandbox: { isConfined: isConfined(choices) } } }
}

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

/**
 * Each turn has a process of its own: while the checks run, nothing of the agent does.
 */
function startTurn({ folder, environment, choices }: ServerOptions, start: TurnStart): AgentTurn {
  const program = startJsonLines({
    command: { words: ['codex', 'app-server', ...choices.flags] },
    ...{ folder, environment },
    keepsInputOpen: true,
  })
  const peer = new RpcPeer(program)
  const records = new ThreadRecords(environment)
  let running: { readonly threadId: string; readonly turnId: string } | undefined
  const signals = async function* (): AsyncGenerator<AgentSignal> {
    const opened = await openThread(peer, { folder, choices }, start.session)
    if (opened.kind !== 'opened') {
      yield opened
      return
    }
    const { threadId, rollout } = opened
    yield { kind: 'session', id: threadId }
    await records.begin(threadId, rollout)
    yield* turnIn({
      ...{ peer, records, folder, threadId },
      prompt: start.prompt,
      isConfined: isConfined(choices),
      onRunning: (turnId) => {
        running = turnId === undefined ? undefined : { threadId, turnId }
      },
    })
  }
  return {
    signals: signals(),
    async end() {
      if (running !== undefined) await peer.send('turn/interrupt', running)
      running = undefined
      program.closeInput()
      await settlesWithin(program.ended, leaveMs)
      await program.end()
    },
  }
}
