import { promptFor } from '@donecheck/core/prompts'
import { UsageError, assertKnownKeys, type OptionKeys } from '../../../base/index.ts'
import type { DriveDescription } from '@donecheck/core/settings'
import type { Drive } from '../../../ports/loop.ts'
import { excerptOf, inheritedEnvironment, runProcess, showExcerpt } from '../../../system/process/index.ts'
import { parseAgentLine } from './agent-line.ts'
import { answerOf } from './answer.ts'

export interface CommandDriveOptions {
  /** A line for the shell. The prompt stands where `{prompt}` stands; without one it comes on standard input. */
  readonly command: string
  readonly folder: string
  /** Of one turn. Null: no bound. */
  readonly timeoutMs: number | null
  /** All of the agent's environment. Default: that of this process without variables named `DONECHECK_…`. */
  readonly environment?: Readonly<Record<string, string>>
  /** For people. Default: the command. */
  readonly name?: string
}

const keys: OptionKeys<CommandDriveOptions> = {
  command: 'needed',
  folder: 'needed',
  timeoutMs: 'needed',
  environment: true,
  name: true,
}

/** Linux takes no single argument longer than 128 KiB. */
const maxArgumentBytes = 100 * 1024
const headBytes = 20 * 1024
const tailBytes = 40 * 1024

/**
 * Any agent program as an outer loop: one process per turn, which does its work in the folder and prints its answer.
 * @throws {UsageError} for a command or a bound that can never work
 */
export function commandDrive(options: CommandDriveOptions): Drive {
  assertKnownKeys(options, keys, 'commandDrive')
  const { command, folder, timeoutMs } = options
  const { shell, takesArgument } = parseAgentLine(command)
  if (timeoutMs !== null && !(timeoutMs > 0))
    throw new UsageError(`timeoutMs is ${timeoutMs}; give the milliseconds that a turn may take, or null`)
  return {
    description: describeDrive(options.name ?? command),
    async next({ conversation, onText, replies }, signal) {
      const prompt = promptFor(conversation)
      const result = await runProcess({
        command: { shell, args: takesArgument ? [asArgument(prompt)] : [] },
        ...(takesArgument ? {} : { stdin: prompt }),
        folder,
        environment: options.environment ?? inheritedEnvironment(),
        timeoutMs,
        signal,
        headBytes,
        tailBytes,
        keepBytes: 0,
        onOutput: (piece, stream) => {
          if (stream === 'stdout') onText(piece)
        },
      })
      return answerOf(result, { command, timeoutMs }, replies === 0)
    },
  }
}

function describeDrive(name: string): DriveDescription {
  return {
    kind: 'command',
    name,
    sideEffects: true,
    reportsUsage: false,
    prices: null,
    maxOutputTokens: 4096,
    contextWindowTokens: 128_000,
  }
}

/** An argument ends at its first zero character, and a long one is not taken at all: the middle is the least loss. */
function asArgument(prompt: string): string {
  const half = maxArgumentBytes / 2
  return showExcerpt(excerptOf(prompt.replaceAll('\0', '\uFFFD'), half, half))
}
