import type { z } from 'zod'
import type { RunEvent } from '@donecheck/core/events'
import type { Attachment } from '../../../ports/checks.ts'
import { messageOf } from '../../../base/index.ts'
import { parseEventText } from '../texts/event-text.ts'
import { attachmentLine, headerLine, runFormat, runFormatVersion, type RunHeader } from './format.ts'

/** A run as a file tells it, every line of it checked. */
export interface ReadRun {
  readonly runId: string
  readonly events: readonly RunEvent[]
  readonly attachments: readonly Attachment[]
}

/** What is wrong, and in which line, counted from 1. */
export class LineProblem extends Error {
  override readonly name = 'LineProblem'
  readonly line: number

  constructor(line: number, problem: string) {
    super(problem)
    this.line = line
  }
}

/** @throws {LineProblem} at the first line that is not as it should be */
export async function readRun(lines: AsyncIterable<string> | Iterable<string>): Promise<ReadRun> {
  const events: RunEvent[] = []
  const attachments: Attachment[] = []
  let header: RunHeader | undefined
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    if (header === undefined) header = readHeader(line, number)
    else if (events.length < header.events) events.push(readEvent(line, number, header, events.length + 1))
    else if (attachments.length < header.attachments)
      attachments.push(readAttachment(line, number, attachments))
    else throw new LineProblem(number, 'the header announced fewer lines')
  }
  assertWhole(header, events.length, attachments.length, number)
  return { runId: header.runId, events, attachments }
}

function assertWhole(
  header: RunHeader | undefined,
  events: number,
  attachments: number,
  lastLine: number,
): asserts header is RunHeader {
  if (header === undefined) throw new LineProblem(lastLine, `no line with "format":"${runFormat}"`)
  const wanted = `${header.events} events and ${header.attachments} attachments`
  if (events < header.events || attachments < header.attachments)
    throw new LineProblem(
      lastLine,
      `the file ends early: ${wanted} are announced, ${events} and ${attachments} are there`,
    )
}

function readHeader(line: string, number: number): RunHeader {
  const value = readJson(line, number)
  if (isOfOtherVersion(value))
    throw new LineProblem(
      number,
      `the format has version ${String(value.version)}; this donecheck reads version ${runFormatVersion}: update donecheck`,
    )
  return check(headerLine, value, number)
}

function isOfOtherVersion(value: unknown): value is { readonly version: unknown } {
  if (typeof value !== 'object' || value === null || !('format' in value) || !('version' in value))
    return false
  return value.format === runFormat && typeof value.version === 'number' && value.version > runFormatVersion
}

function readEvent(line: string, number: number, { runId }: RunHeader, sequence: number): RunEvent {
  const parsed = parseEventText(line)
  if (parsed.kind === 'invalid') throw new LineProblem(number, parsed.problem)
  const { event } = parsed
  if (event.runId !== runId)
    throw new LineProblem(number, `event of run ${event.runId} in the file of run ${runId}`)
  if (event.sequence !== sequence)
    throw new LineProblem(number, `event ${event.sequence} where event ${sequence} is expected`)
  if (sequence === 1 && event.type !== 'run-started')
    throw new LineProblem(number, `a run begins with run-started, not ${event.type}`)
  return event
}

function readAttachment(line: string, number: number, before: readonly Attachment[]): Attachment {
  const { digest, content } = check(attachmentLine, readJson(line, number), number)
  if (before.some((attachment) => attachment.digest === digest))
    throw new LineProblem(number, `a second attachment with the digest ${digest}`)
  return { digest, content }
}

function readJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new LineProblem(number, messageOf(error))
  }
}

function check<Value>(schema: z.ZodType<Value>, value: unknown, number: number): Value {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new LineProblem(number, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not readable'}`)
}
