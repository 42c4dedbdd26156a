import { promptFor } from '@donecheck/core/internal/decide/prompts'
import { UsageError, assertKnownKeys, optionKeys } from '../../base/index.ts'
import type { DriveDescription } from '@donecheck/core/internal/events/settings'
import type { Drive, DriveAnswer } from '../../ports/loop.ts'
import {
  excerptOf,
  inheritedEnvironment,
  runProcess,
  showExcerpt,
  type ProcessResult,
} from '../../system/process/index.ts'
import type { DriveFailure, FailureKind } from '@donecheck/core/internal/events'

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

const maxExplanationLength = 2000

interface AgentProcess {
  readonly command: string
  readonly timeoutMs: number | null
}

/**
 * What became of the agent's process, as an answer. A crash, a hang, silence and a flood are one turn each, told to the
 * next one; only an agent that cannot be started at all is a failure.
 */
export function answerOf(result: ProcessResult, agent: AgentProcess, isFirst: boolean): DriveAnswer {
  const { end } = result
  switch (end.kind) {
    case 'exited':
      if (isFirst && end.exitCode === 126)
        return notRunnable(agent, 'its program may not be executed (exit code 126)')
      if (isFirst && end.exitCode === 127)
        return notRunnable(agent, 'its program was not found (exit code 127)')
      return turn(result, end.exitCode === 0 ? undefined : `the agent ended with exit code ${end.exitCode}`)
    case 'signalled':
      return turn(result, `the agent was killed by ${end.signal}`)
    case 'timed-out':
      return turn(result, `the agent did not end within ${(agent.timeoutMs ?? 0) / 1000} s and was stopped`)
    case 'aborted':
      return failedAnswer('interrupted', 'the agent was interrupted', true)
    case 'not-started':
      return notRunnable(agent, end.problem)
  }
}

function turn(result: ProcessResult, endProblem: string | undefined): DriveAnswer {
  const text = showExcerpt(result.stdout).trim()
  const ended = endProblem === undefined ? [] : [explainProblem(endProblem, result)]
  const problems = [...ended, ...problemsOfOutput(result, text)]
  return {
    kind: 'replied',
    text,
    toolCalls: [],
    // A crash is not the word of the agent that it is done.
    finish: endProblem === undefined ? 'stop' : 'other',
    usage: null,
    ...(problems.length === 0 ? {} : { problem: problems.join('; ') }),
  }
}

function problemsOfOutput(
  { end, stdout, stdoutIsUtf8, ...result }: ProcessResult,
  text: string,
): readonly string[] {
  const isSilent = text === '' && end.kind === 'exited' && end.exitCode === 0
  const { totalBytes, omittedBytes } = stdout
  return [
    ...(isSilent ? [explainProblem('the agent printed no answer', result)] : []),
    ...(omittedBytes > 0
      ? [`the agent printed ${totalBytes} bytes; ${omittedBytes} in the middle were left out`]
      : []),
    ...(stdoutIsUtf8 ? [] : ['some of what the agent printed was not UTF-8 and was replaced']),
  ]
}

function explainProblem(problem: string, { output }: Pick<ProcessResult, 'output'>): string {
  const all = (output.omittedBytes === 0 ? output.head : output.tail).trim()
  return all === ''
    ? problem
    : `${problem}. The end of its output: ${all.slice(-maxExplanationLength).toWellFormed()}`
}

function notRunnable({ command }: AgentProcess, problem: string): DriveAnswer {
  const message = `the agent "${command}" cannot be run: ${problem}. Install it, put it on PATH, or correct the command`
  return failedAnswer('configuration', message, false)
}

function failedAnswer(kind: FailureKind, message: string, retryable: boolean): DriveAnswer {
  const failure: DriveFailure = { kind, message, retryable }
  return { kind: 'failed', failure, usage: null }
}
