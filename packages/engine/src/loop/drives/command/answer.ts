import { showExcerpt, type ProcessResult } from '../../../system/process/index.ts'
import type { DriveFailure, FailureKind } from '@donecheck/core/events'
import type { DriveAnswer } from '../../../ports/loop.ts'

/** Characters of the output that explain a problem. */
const maxExplanationLength = 2000

export interface AgentProcess {
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
      // Later on it has run before: then it is a program that the agent itself could not find.
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
