/** Results of the tool `exec`: duration, process id, session and folder are no part of them. */
import type { Outcome } from '../records.ts'
import { textOrNull, trimmed, type PlainObject } from '../values.ts'

/** What differs between two runs of the same failing command. */
const volatileInOutput = [
  /\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:z|[+-]\d{2}:\d{2})?/giu,
  /\d{1,2}:\d{2}:\d{2}(?:\.\d{1,6})?/gu,
  /\b(?:attempt|retry)\b[\s#:=]*\d+/giu,
  /\b\d+(?:\.\d+)?\s?(?:ns|us|ms|seconds?|minutes?|hours?|s)\b/giu,
  /\b(?:pid|ppid)\b[\s#:=]*\d+/giu,
]

/** Undefined: the result says no status that is known, and is treated as any tool's. */
export function execOutcome(
  details: PlainObject,
  text: string,
  digest: (value: unknown) => string,
): Outcome | undefined {
  switch (details['status']) {
    case 'running':
      return { resultHash: digest({ status: 'running', tail: textOrNull(details['tail']) ?? '' }) }
    case 'completed':
    case 'failed':
      return endedOutcome(details, trimmed(details['aggregated']) ?? text, digest)
    case 'approval-pending':
    case 'approval-unavailable':
      return { resultHash: digest(approvalOf(details)) }
    default:
      return undefined
  }
}

function endedOutcome(details: PlainObject, output: string, digest: (value: unknown) => string): Outcome {
  const exitCode = typeof details['exitCode'] === 'number' ? details['exitCode'] : null
  const timedOut = details['timedOut'] === true
  const ended = { status: details['status'], exitCode, timedOut }
  const resultHash = digest({ ...ended, output })
  const hasFailed = exitCode !== null && Number.isFinite(exitCode) && exitCode !== 0 && !timedOut
  const saysNothing = output === '' || output === `(Command exited with code ${exitCode})`
  if (!hasFailed || saysNothing) return { resultHash }
  const failureIdentityHash = digest({ ...ended, output: withoutVolatile(output) })
  return { resultHash, outcomeKind: 'terminal-exec-failure', failureIdentityHash }
}

function withoutVolatile(output: string): string {
  return volatileInOutput.reduce((rest, pattern) => rest.replaceAll(pattern, '#'), output)
}

function approvalOf(details: PlainObject): PlainObject {
  return {
    status: details['status'],
    reason: textOrNull(details['reason']),
    host: textOrNull(details['host']),
    command: textOrNull(details['command']) ?? '',
    warningText: textOrNull(details['warningText']) ?? '',
  }
}
