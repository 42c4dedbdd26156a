import { realpathSync } from 'node:fs'
import {
  cliAgentKeys,
  RpcPeer,
  startJsonLines,
  streamedAgent,
  type AgentSignal,
  type AgentTurn,
  type CliAgentOptions,
  type TurnStart,
} from '../../protocol/stream/index.ts'
import { assertKnownKeys } from '@donecheck/engine/internal/base'
import type { Agent } from '@donecheck/engine/internal/ports/loop'
import { inheritedEnvironment, settlesWithin } from '@donecheck/engine/internal/system/process'
import { openThread, type AppServerChoices, readAppServerWords, isConfined } from './app-server/thread.ts'
import { turnIn } from './app-server/turn.ts'
import { ThreadRecords } from './app-server/thread-records.ts'

export type CodexAgentOptions = CliAgentOptions

/**
 * Runs `codex app-server`: our gate answers every request, and caps apply within a turn. @throws {UsageError}
 */
export function codexAgent(options: CodexAgentOptions): Agent {
  assertKnownKeys(options, cliAgentKeys, 'codexAgent')
  const { timeoutMs, words = [], environment = inheritedEnvironment() } = options
  const choices = readAppServerWords(words)
  const server = { folder: realFolder(options.folder), environment, choices }
  const agent = streamedAgent({
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
  return { ...agent, own: { ...agent.own, sandbox: { isConfined: isConfined(choices) } } }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

interface ServerOptions {
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly choices: AppServerChoices
}

const leaveMs = 1500

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
