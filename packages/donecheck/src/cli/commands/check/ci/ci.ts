/** `donecheck ci`: a verification or a run as a job of CI sees it: annotations, a summary, outputs, files. */
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { messageOf, UsageError } from '@donecheck/engine/base'
import type { RunState } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import { githubReport, markdownReport, type ResultLine } from '@donecheck/engine/report'
import { reportFailure } from '../../../process/failure.ts'
import type { CliIo } from '../../../process/io.ts'
import { orUsageError } from '../../../process/usage-error.ts'
import { checkedReport, writeCheckReports, writeReport, type ReportFlags } from './check-reports.ts'

export interface CiFlags extends ReportFlags {
  /** Markdown: what a job summary and a comment show. */
  readonly report?: string
}

/** Performs a command of donecheck in this process. */
export type Perform = (words: readonly string[], io: CliIo) => Promise<number>

const performed: readonly string[] = ['verify', 'run']

/** Resolves to the exit code of the command that was performed. */
export async function ciCommand(
  perform: Perform,
  words: readonly string[],
  flags: CiFlags,
  io: CliIo,
): Promise<number> {
  try {
    const [command = ''] = words
    clearPlaces(flags, io)
    if (!performed.includes(command))
      throw new UsageError(`a job of CI does ${performed.join(', ')} or comment, not "${command}"`)
    const seen: SeenRun = { events: [], state: undefined, result: undefined }
    const exitCode = await unheard(io, () => perform(words, watchedIo(io, seen)))
    await report(seen, exitCode, flags, io)
    return exitCode
  } catch (error) {
    return reportFailure(error, false, io)
  }
}

interface SeenRun {
  events: RunEvent[]
  state: RunState | undefined
  result: ResultLine | undefined
}

function watchedIo(io: CliIo, seen: SeenRun): CliIo {
  return {
    get stdin() {
      return io.stdin
    },
    // In one stream, so that the runner reads what goes before and after in its order.
    ...{ stdout: io.stdout, stderr: isGithub(io) ? io.stdout : io.stderr, environment: io.environment },
    ...{ currentFolder: io.currentFolder, homeFolder: io.homeFolder },
    observer: {
      event(event, state) {
        seen.events.push(event)
        seen.state = state
      },
      end: (result) => void (seen.result = result),
    },
  }
}

/** What lies there tells of other work: where nothing is checked, nothing is there. @throws {UsageError} */
function clearPlaces(flags: CiFlags, io: CliIo): void {
  for (const file of [flags.junit, flags.receipt, flags.report]) {
    if (file === undefined) continue
    const place = resolve(io.currentFolder, file)
    const clear = () => {
      mkdirSync(dirname(place), { recursive: true })
      rmSync(place, { force: true })
    }
    orUsageError(clear, (error) => `${file} cannot be written: ${messageOf(error)}`)
  }
}

const isGithub = ({ environment }: CliIo) => environment['GITHUB_ACTIONS'] === 'true'

/** What an agent or a test prints is no command of the runner, whatever it begins with. */
async function unheard(io: CliIo, work: () => Promise<number>): Promise<number> {
  if (!isGithub(io)) return work()
  const word = randomUUID()
  io.stdout.write(`::stop-commands::${word}\n`)
  try {
    return await work()
  } finally {
    io.stdout.write(`\n::${word}::\n`)
  }
}

async function report(seen: SeenRun, exitCode: number, flags: CiFlags, io: CliIo): Promise<void> {
  const { events, state, result } = seen
  if (state?.phase.kind === 'stopped') {
    await writeCheckReports(state, events, flags, io)
    const { commands } = githubReport(checkedReport(state))
    if (isGithub(io)) io.stdout.write(commands.map((line) => `${line}\n`).join(''))
  }
  const text = state === undefined ? notBegun(exitCode) : markdownReport(events, checkedReport(state))
  writeReport(flags.report, () => text, io)
  append(io.environment['GITHUB_STEP_SUMMARY'], text)
  const receipt = state?.phase.kind === 'stopped' ? flags.receipt : undefined
  append(
    io.environment['GITHUB_OUTPUT'],
    outputs(result, exitCode, receipt === undefined ? '' : resolve(io.currentFolder, receipt)),
  )
}

function notBegun(exitCode: number): string {
  return `## donecheck: error\n\nNothing was begun (exit code ${exitCode}): the log of the job says why.\n`
}

function append(file: string | undefined, text: string): void {
  if (file !== undefined && file !== '') appendFileSync(file, text)
}

/** Each between lines of a word that nobody knows: a value of several lines sets nothing else. */
function outputs(result: ResultLine | undefined, exitCode: number, receipt: string): string {
  const values = {
    outcome: result?.outcome ?? 'error',
    reason: result?.reason ?? 'error',
    'exit-code': String(exitCode),
    'run-id': result?.runId ?? '',
    receipt,
  }
  return Object.entries(values)
    .map(([name, value]) => {
      const word = randomUUID()
      return `${name}<<${word}\n${value}\n${word}\n`
    })
    .join('')
}
