import { promptFor } from '@donecheck/core/internal/decide/prompts'
import { UsageError, assertKnownKeys, optionKeys } from '../../base/index.ts'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import type { Agent, AgentResponse } from '../../ports/loop.ts'
import {
  excerptOf,
  inheritedEnvironment,
  runProcess,
  showExcerpt,
  type ProcessResult,
} from '../../system/process/index.ts'
import type { AgentFailure, FailureKind } from '@donecheck/core/internal/events'

export interface CommandAgentOptions {
  /** A shell line. `{prompt}` is replaced by the prompt; without it, the prompt goes to standard input. */
  readonly command: string
  readonly folder: string
  /** Per turn; null for no limit. */
  readonly timeoutMs: number | null
  /** Full environment of the agent. Default: this process without `DONECHECK_…` variables. */
  readonly environment?: Readonly<Record<string, string>>
  /** Shown to people. Default: the command. */
  readonly name?: string
}

const keys = optionKeys<CommandAgentOptions>()('command! folder! timeoutMs! environment name')

/** Linux limits a single argument to 128 KiB. */
const maxArgumentBytes = 100 * 1024
const headBytes = 20 * 1024
const tailBytes = 40 * 1024

/** Runs any agent program, one process per turn. @throws {UsageError} for an invalid command or limit */
export function commandAgent(options: CommandAgentOptions): Agent {
  assertKnownKeys(options, keys, 'commandAgent')
  const { command, folder, timeoutMs } = options
  const { shell, takesArgument } = parseAgentLine(command)
  if (timeoutMs !== null && !(timeoutMs > 0))
    throw new UsageError(`timeoutMs is ${timeoutMs}; give the milliseconds that a turn may take, or null`)
  return {
    description: describeAgent(options.name ?? command),
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

function describeAgent(name: string): AgentDescription {
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

/** A zero character would end the argument; a long prompt loses its middle. */
function asArgument(prompt: string): string {
  const half = maxArgumentBytes / 2
  return showExcerpt(excerptOf(prompt.replaceAll('\0', '\uFFFD'), half, half))
}

const placeholder = '{prompt}'

interface AgentLine {
  readonly shell: string
  /** False sends the prompt to standard input. */
  readonly takesArgument: boolean
}

/** An escaped character, a quoted or plain text, or an unclosed quote. */
const token = /\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\\'"]+|./gs

/**
 * Replaces `{prompt}`, quoted or not, by `"$1"`, so that the shell never parses the prompt.
 * @throws {UsageError} for an empty line, or `{prompt}` inside a quoted text: `bash -c "agent {prompt}"`
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

/** Converts the end of the process to a reply. Only an agent that cannot start is a failure. */
export function answerOf(result: ProcessResult, agent: AgentProcess, isFirst: boolean): AgentResponse {
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

function turn(result: ProcessResult, endProblem: string | undefined): AgentResponse {
  const text = showExcerpt(result.stdout).trim()
  const ended = endProblem === undefined ? [] : [explainProblem(endProblem, result)]
  const problems = [...ended, ...problemsOfOutput(result, text)]
  return {
    kind: 'replied',
    text,
    toolCalls: [],
    // A crash is not a claim to be done.
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

function notRunnable({ command }: AgentProcess, problem: string): AgentResponse {
  const message = `the agent "${command}" cannot be run: ${problem}. Install it, put it on PATH, or correct the command`
  return failedAnswer('configuration', message, false)
}

function failedAnswer(kind: FailureKind, message: string, retryable: boolean): AgentResponse {
  const failure: AgentFailure = { kind, message, retryable }
  return { kind: 'failed', failure, usage: null }
}
