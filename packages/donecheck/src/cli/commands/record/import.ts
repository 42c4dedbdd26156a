import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { problemOfFact } from '@donecheck/core/internal/events'
import { messageOf, UsageError, jsonOf } from '@donecheck/engine/internal/base'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { linesOf, type RecordedRun } from '@donecheck/engine/internal/insight/recordings'
import { importRun } from '@donecheck/engine/store'
import { eventsOfRecording, readTrajectory } from '@donecheck/engine/internal/insight/trajectories'
import type { CliIo } from '../../process/io.ts'
import { withStore } from '../../settings/settings.ts'
import type { StoreFlags } from '../../options/flags.ts'

export async function importCommand(file: string, flags: StoreFlags, io: CliIo): Promise<number> {
  return withStore(flags, io, async (store) => {
    const intake = await readInto(store, file, io)
    for (const line of intake.lines()) io.stderr.write(`${line}\n`)
    assertNothingLeftOut(intake, file)
    return 0
  })
}

/** @returns ids of the runs. @throws {UsageError} for a line that is neither a run nor a trajectory */
export async function importInto(store: Store, file: string, io: CliIo): Promise<readonly string[]> {
  const intake = await readInto(store, file, io)
  assertNothingLeftOut(intake, file)
  return intake.imported
}

async function readInto(store: Store, file: string, io: CliIo): Promise<Intake> {
  const intake = new Intake()
  for await (const part of partsOf(readLines(file, io)))
    if (part.kind === 'record') await takeRecord(store, part, file, intake)
    else await takeRecording(store, readTrajectory(part.line, file), part.number, intake)
  return intake
}

function assertNothingLeftOut({ strangers }: Intake, file: string): void {
  const [first] = strangers
  if (first === undefined) return
  throw new UsageError(
    `${file}, line ${first}: neither a run that was exported nor a trajectory, and left out (such lines: ${strangers.length})`,
  )
}

class Intake {
  readonly imported: string[] = []
  readonly #known: string[] = []
  /** Line numbers. */
  readonly strangers: number[] = []

  note(runId: string, isNew: boolean): void {
    if (isNew) this.imported.push(runId)
    else this.#known.push(runId)
  }

  lines(): readonly string[] {
    return [...lineOf('imported', this.imported), ...lineOf('there already, and the same', this.#known)]
  }
}

function lineOf(what: string, runIds: readonly string[]): readonly string[] {
  const [only] = runIds
  if (only === undefined) return []
  return [runIds.length === 1 ? `${what}: run ${only}` : `${what}: ${runIds.length} runs`]
}

interface RecordPart {
  readonly kind: 'record'
  readonly number: number
  readonly lines: string[]
}

interface LinePart {
  readonly kind: 'line'
  readonly number: number
  readonly line: string
}

/** A record reaches from its header to the next; other lines are one trajectory each. */
async function* partsOf(lines: AsyncIterable<string>): AsyncGenerator<RecordPart | LinePart> {
  let record: RecordPart | undefined
  let number = 0
  let isEmpty = true
  for await (const line of lines) {
    number += 1
    if (isHeader(line)) {
      if (record !== undefined) yield record
      record = { kind: 'record', number, lines: [line] }
    } else if (record !== undefined) record.lines.push(line)
    else if (line.trim() !== '') yield { kind: 'line', number, line }
    isEmpty &&= line.trim() === ''
  }
  if (record !== undefined) yield record
  else if (isEmpty) yield { kind: 'record', number: 1, lines: [] }
}

function isHeader(line: string): boolean {
  if (!line.includes('"donecheck-run"')) return false
  const value = jsonOf(line)
  return typeof value === 'object' && value !== null && 'format' in value && value.format === 'donecheck-run'
}

async function takeRecord(store: Store, { lines, number }: RecordPart, file: string, intake: Intake) {
  const result = await importRun(store, lines)
  if (result.kind === 'refused') {
    const place = result.line === undefined ? file : `${file}, line ${result.line + number - 1}`
    throw new UsageError(`${place}: ${result.problem}`)
  }
  intake.note(result.runId, result.kind === 'imported')
}

async function takeRecording(
  store: Store,
  run: RecordedRun | undefined,
  number: number,
  intake: Intake,
): Promise<void> {
  const events = run === undefined ? [] : eventsOfRecording(run, Date.now())
  const [first] = events
  if (first === undefined || events.some((event) => problemOfFact(event) !== undefined)) {
    intake.strangers.push(number)
    return
  }
  // The id is a digest of the content.
  const isKnown = (await store.read(first.runId)).length > 0
  if (!isKnown) await store.takeIn(events)
  intake.note(first.runId, !isKnown)
}

async function* readLines(file: string, io: CliIo): AsyncGenerator<string> {
  const input = file === '-' ? io.stdin : createReadStream(resolve(io.currentFolder, file))
  try {
    yield* linesOf(input, file.endsWith('.gz'))
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}
