import { promptFor } from '@donecheck/core/prompts'
import { UsageError, assertKnownKeys, optionKeys } from '../../../base/index.ts'
import type { DriveDescription } from '@donecheck/core/settings'
import type { Drive } from '../../../ports/loop.ts'
import { excerptOf, inheritedEnvironment, runProcess, showExcerpt } from '../../../system/process/index.ts'
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

const keys = optionKeys<CommandDriveOptions>()('command! folder! timeoutMs! environment name')

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

const placeholder = '{prompt}'

interface AgentLine {
  /** For the shell: the prompt is its first argument, `$1`. */
  readonly shell: string
  /** False: the prompt goes to its standard input. */
  readonly takesArgument: boolean
}

/** An escaped character, a quoted text, a text between them, or a quote that nothing closes. */
const token = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\\'"]+|./gs

/**
 * Puts `"$1"` where `{prompt}` stands, with or without quotes around it: the shell hands the prompt on and never reads it.
 * @throws {UsageError} for an empty line, and for a `{prompt}` inside a longer quoted text: a second shell, as in
 * `bash -c "agent {prompt}"`, would read it
 */
export function parseAgentLine(line: string): AgentLine {
  if (line.trim() === '')
    throw new UsageError(`an agent needs a command, such as "my-agent ${placeholder}"; this one is empty`)
  let takesArgument = false
  const shell = line.replace(token, (piece) => {
    if (!piece.includes(placeholder)) return piece
    takesArgument = true
    if (!/^['"]/.test(piece)) return piece.replaceAll(placeholder, '"$1"')
    if (piece.slice(1, -1) === placeholder) return '"$1"'
    throw new UsageError(
      `${placeholder} stands inside a longer quoted text in ${line}; write it as a word of its own, such as --message ${placeholder}`,
    )
  })
  return { shell, takesArgument }
}
