/** What must not leave with a trajectory: known values, shapes of secrets, and what the user names by a pattern. */
import type { JsonValue } from '@donecheck/core/events'
import { maskText, type SecretValues } from '@donecheck/core/secrets'
import { messageOf, UsageError } from '../../base/index.ts'
import type { Trajectory } from './trajectory.ts'

export interface Redaction {
  /** Values by name, as they are known here. */
  readonly secrets: SecretValues
  /** Regular expressions; each match becomes `[masked:redact-N]`, N from 1. */
  readonly patterns: readonly RegExp[]
}

/** @throws {UsageError} for what is no regular expression, or matches everywhere */
export function redactPattern(source: string): RegExp {
  const pattern = compiled(source)
  if (pattern.test(''))
    throw new UsageError(`the pattern ${source} matches the empty text: name what must go`)
  return new RegExp(source, 'gu')
}

function compiled(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch (error) {
    throw new UsageError(`the pattern ${source} is no regular expression: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** What drives, tools and people wrote; what we say of it (outcome, reason, status, qualifiers) stays as it is. */
export function redactedTrajectory(trajectory: Trajectory, redaction: Redaction): Trajectory {
  const clean = (text: string) => redactedText(text, redaction)
  const cleanOrNull = (text: string | null) => (text === null ? null : clean(text))
  const { model, task, steps, verdict } = trajectory
  const { checks, groundTruth } = verdict
  return {
    ...trajectory,
    model: clean(model),
    task: clean(task),
    steps: steps.map(({ text, calls, feedback, ...rest }) => ({
      ...rest,
      text: clean(text),
      feedback: cleanOrNull(feedback),
      calls: calls.map(({ callId, tool, args, result }) => ({
        ...{ callId: clean(callId), tool: clean(tool) },
        args: redactedJson(args, redaction),
        result: cleanOrNull(result),
      })),
    })),
    verdict: {
      ...verdict,
      checks: checks.map((check) => ({ ...check, name: clean(check.name) })),
      groundTruth:
        groundTruth === null
          ? null
          : { ...groundTruth, labels: groundTruth.labels.map((label) => clean(label)) },
    },
  }
}

/** Keys included: they are the drive's as well. */
function redactedJson(value: JsonValue, redaction: Redaction): JsonValue {
  if (typeof value === 'string') return redactedText(value, redaction)
  if (typeof value === 'number') {
    const text = redactedText(String(value), redaction)
    return text === String(value) ? value : text
  }
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((entry) => redactedJson(entry, redaction))
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      redactedText(key, redaction),
      redactedJson(entry, redaction),
    ]),
  )
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function redactedText(text: string, { secrets, patterns }: Redaction): string {
  const masked = maskText(text, secrets)
  return patterns.reduce(
    (before, pattern, at) => before.replace(pattern, `[masked:redact-${at + 1}]`),
    masked,
  )
}

/** How often each mark stands in a text, those that the recorder made included. */
export function countMarks(text: string, counts: Map<string, number>): void {
  for (const [, name = ''] of text.matchAll(/\[masked:([^\]\\"]{1,100})\]/gu))
    counts.set(name, (counts.get(name) ?? 0) + 1)
}
