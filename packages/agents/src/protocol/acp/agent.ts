import { resolve } from 'node:path'
import { acpTraitsOf } from '../registry/index.ts'
import { cliAgentKeys, streamedAgent, type AgentSignal, type CliAgentOptions } from '../stream/index.ts'
import { UsageError, assertKnownKeys, given, type OptionKeys } from '@donecheck/engine/internal/base'
import type { Agent } from '@donecheck/engine/internal/ports/loop'
import { inheritedEnvironment } from '@donecheck/engine/internal/system/process'
import { AcpConnection } from './connection.ts'
import { AcpTurn } from './turn.ts'

export interface AcpAgentOptions extends CliAgentOptions {
  /** The program that speaks ACP, and its arguments. */
  readonly words: readonly string[]
  /** Applies to the first response and again to opening a session. Default: 60 s. */
  readonly startTimeoutMs?: number
}

const acpAgentKeys: OptionKeys<AcpAgentOptions> = { ...cliAgentKeys, words: 'needed', startTimeoutMs: true }

const usualStartMs = 60_000

export interface AcpProgram {
  /** The program and the arguments that make it speak ACP; the user's arguments follow. */
  readonly starts: readonly [string, ...string[]]
  readonly maxOutputTokens: number
  readonly contextWindowTokens: number
  /** Returns the arguments for this mode, and variables that replace the others. @throws {UsageError} */
  readonly startWith?: (words: readonly string[]) => AcpStart
  /** Parses a stderr line, for programs that report retries only there. */
  readonly readStderr?: (line: string) => Extract<AgentSignal, { kind: 'retrying' }> | undefined
}

interface AcpStart {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const unknownProgram = { maxOutputTokens: 4096, contextWindowTokens: 128_000 }

/** The agent throws a `UsageError` for arguments that the program does not support. */
export function acpProgramAgent(program: AcpProgram): (options: CliAgentOptions) => Agent {
  return (options) => {
    assertKnownKeys(options, cliAgentKeys, `${program.starts[0]}Agent`)
    const { folder, timeoutMs, words = [] } = options
    const more = program.startWith?.(words) ?? { words, environment: {} }
    const environment = { ...(options.environment ?? inheritedEnvironment()), ...more.environment }
    return agentOf({ folder, timeoutMs, environment, words: [...program.starts, ...more.words] }, program)
  }
}

/** Agents a program that speaks ACP with `--acp`. Both limits are in tokens. */
function buildModelAgent(program: string, maxOutputTokens: number, contextWindowTokens: number) {
  return acpProgramAgent({ starts: [program, '--acp'], maxOutputTokens, contextWindowTokens })
}

export const geminiAgent = buildModelAgent('gemini', 65_536, 1_000_000)
export const qwenAgent = buildModelAgent('qwen', 32_000, 256_000)
export const copilotAgent = buildModelAgent('copilot', 32_000, 128_000)

/**
 * The gate decides calls that the agent asks about; the next prompt explains refusals.
 * @throws {UsageError} for an invalid limit
 */
export function acpAgent(options: AcpAgentOptions): Agent & { close(): Promise<void> } {
  assertKnownKeys(options, acpAgentKeys, 'acpAgent')
  return agentOf(options, unknownProgram)
}

function agentOf(
  options: AcpAgentOptions,
  known: Pick<AcpProgram, 'maxOutputTokens' | 'contextWindowTokens' | 'readStderr'>,
): Agent & { close(): Promise<void> } {
  const { timeoutMs, startTimeoutMs = usualStartMs } = options
  if (!(startTimeoutMs > 0))
    throw new UsageError(
      `startTimeoutMs is ${startTimeoutMs}; give the milliseconds that the agent may take to start`,
    )
  const [program, ...words] = options.words
  if (program === undefined || program.trim() === '')
    throw new UsageError('no program starts the agent; name it in words, such as ["gemini", "--acp"]')
  const line = options.words.join(' ')
  const folder = resolve(options.folder)
  const { tells, environment: more } = acpTraitsOf(line)
  const environment = { ...more, ...(options.environment ?? inheritedEnvironment()) }
  const start = { command: { words: [program, ...words] as const }, folder, environment }
  let connection: AcpConnection | undefined
  const cost = { usd: 0 }
  const agent = streamedAgent({
    description: {
      name: `acp:${line}`,
      reportsUsage: tells.ofTurn,
      ...(tells.cost ? { reportsCost: true } : {}),
      prices: null,
      maxOutputTokens: known.maxOutputTokens,
      contextWindowTokens: known.contextWindowTokens,
    },
    tellsSteps: tells.ofSteps,
    timeoutMs,
    startTurn: (turn) => {
      if (connection === undefined || connection.hasEnded)
        connection = new AcpConnection({ start, line, startTimeoutMs })
      return new AcpTurn(turn, connection, {
        folder,
        tells,
        cost,
        ...given({ readStderr: known.readStderr }),
      })
    },
  })
  return { ...agent, close: () => connection?.end() ?? Promise.resolve() }
}
