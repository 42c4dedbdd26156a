import { constants } from 'node:fs'
import { glob, open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { jsonOf } from '../../../../base/index.ts'
import type { ReportingLine, ReportFormat } from './ask-for-report.ts'
import type { FoundRunner } from './find-runner.ts'
import { readTap } from './read/tap.ts'
import { readGoJson, readJestJson, readRspecJson } from './read/json.ts'
import { joinReadings, unreadable, type Reading } from './report.ts'
import { isTextRunner, readText, unendedRunnerIn } from './read/text.ts'

export interface Remains {
  readonly folder: string
  readonly exitCode: number
  readonly startedMs: number
  readonly stdout: string
  /** Both streams in print order, truncated in the middle. */
  readonly shown: string
}

export interface Taken {
  readonly reading: Reading
  /** Why exit code 0 proves nothing, as half a sentence. */
  readonly refusal?: string
}

/**
 * Takes the best source: requested report, printed or folder report, summary. At exit code 0 a missing report
 * is not replaced by a summary, which a test can fake.
 */
export async function takeReport({ place, runner }: ReportingLine, remains: Remains): Promise<Taken> {
  const reading = await readPlace(place, runner, remains)
  const isAsked = place.kind !== 'none' && place.kind !== 'folders'
  if (reading.kind === 'unreadable' && isAsked && remains.exitCode === 0) {
    const name = runner?.runner ?? 'its test runner'
    return { reading, refusal: `${name} ended before its report was complete (${reading.problem})` }
  }
  const said = reading.kind === 'read' ? reading : readSummary(remains, runner)
  const unended = isAsked || remains.exitCode !== 0 ? undefined : unendedRunner(said, remains, runner)
  if (unended === undefined) return { reading: said }
  return { reading: said, refusal: `${unended} ended before it printed how many tests it had run` }
}

/** unittest prints nothing before its tests and always prints a summary. */
function unendedRunner(
  said: Reading,
  { shown }: Remains,
  runner: FoundRunner | undefined,
): string | undefined {
  const isMute = runner?.runner === 'unittest' && runner.others.length === 0 && !runner.isRedirected
  return isMute && said.kind === 'unreadable' ? 'unittest' : unendedRunnerIn(shown)
}

/** An unknown runner may have printed any of them. */
function readSummary({ shown }: Remains, runner: FoundRunner | undefined): Reading {
  const known = runner === undefined ? [] : [runner.runner, ...runner.others]
  return readText(shown, known.length > 0 && known.every(isTextRunner) ? known : undefined)
}

async function readPlace(
  place: ReportingLine['place'],
  runner: FoundRunner | undefined,
  { folder, exitCode, startedMs, stdout, shown }: Remains,
): Promise<Reading> {
  switch (place.kind) {
    case 'file':
      return readReport(place.path, (text) => readFormat(text, place.format, folder))
    case 'reports': {
      // After a failure, later runs do not start.
      const least = exitCode === 0 ? place.least : 1
      return readReports(place.folder, least, (text) => readFormat(text, place.format, folder))
    }
    case 'printed':
      return readFormat(stdout, place.format, folder)
    case 'folders': {
      const root = runner?.folder ?? folder
      return readFolders(root, place.names, startedMs, (text) => readFormat(text, 'junit', root))
    }
    case 'none':
      return readPrinted(stdout, folder, readText(shown, undefined).kind === 'read')
  }
}

const maxReportLength = 64 * 1024 * 1024

type ReadText = (text: string) => Promise<Reading>

/** Reads one regular file up to 64 MiB. */
export async function readReport(path: string, read: ReadText): Promise<Reading> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const found = await file.stat()
      if (!found.isFile()) return unreadable('the report is no file')
      if (found.size > maxReportLength)
        return unreadable(`the report has ${found.size} bytes, more than is read`)
      return await read(await file.readFile('utf8'))
    } finally {
      await file.close()
    }
  } catch {
    return unreadable('the report was not written')
  }
}

/** Reads reports of several processes: at least `least`. */
async function readReports(folder: string, least: number, read: ReadText): Promise<Reading> {
  const names = await readdir(folder).catch(() => [])
  const reports = names.filter((name) => name.endsWith('.xml')).sort()
  if (reports.length < least)
    return unreadable(`${reports.length} reports were written, of ${least} that were to come`)
  const readings: Reading[] = []
  for (const name of reports) readings.push(await readReport(join(folder, name), read))
  return joinReadings(readings)
}

/** File time stamps are coarser than our clock. */
const clockStepMs = 20
const notEntered = new Set(['node_modules', '.git', '.gradle', 'src'])

/** Reads JUnit reports of any module, such as `target/surefire-reports`, unless older than the run. */
export async function readFolders(
  root: string,
  names: readonly string[],
  startedMs: number,
  readJunit: ReadText,
): Promise<Reading> {
  const readings: Reading[] = []
  const patterns = names.map((name) => `**/${name}/**/*.xml`)
  const exclude = (path: string) => notEntered.has(basename(path))
  for await (const path of glob(patterns, { cwd: root, exclude })) {
    const file = join(root, path)
    const found = await stat(file).catch(() => undefined)
    if (found !== undefined && found.mtimeMs >= startedMs - clockStepMs)
      readings.push(await readReport(file, readJunit))
  }
  if (readings.length === 0) return unreadable('no report was written')
  return joinReadings(readings)
}

export async function readFormat(text: string, format: ReportFormat, folder: string): Promise<Reading> {
  switch (format) {
    case 'junit':
      return readJunit(text, folder)
    case 'go-json':
      return readGoJson(text)
    case 'vitest-json':
    case 'jest-json':
    case 'mocha-json':
      return withJson(text, (value) => readJestJson(value, folder, format))
    case 'rspec-json':
      return withJson(text, (value) => readRspecJson(value, folder))
  }
}

/** Loads the XML parser (forty files) on demand. */
async function readJunit(text: string, folder: string): Promise<Reading> {
  const junit = await import('./read/junit.ts')
  return junit.readJunit(text, folder)
}

/** Characters. */
const maxPrintedLength = 16 * 1024 * 1024
/** Characters. The parser blocks for a second per megabyte. */
const maxTapLength = 4 * 1024 * 1024

/** Reads a printed report, first matching format. @param hasSummary then foreign TAP is from tests */
export async function readPrinted(stdout: string, folder: string, hasSummary: boolean): Promise<Reading> {
  if (stdout.length > maxPrintedLength) return unreadable('it prints more than is searched for a report')
  const isOwnTap = !hasSummary || /^# tests \d+$/m.test(stdout)
  const mayBeTap = isOwnTap && stdout.length <= maxTapLength
  const readers = [
    () => (/^\{"(?:Time|Action|ImportPath)":/m.test(stdout) ? readGoJson(stdout) : unreadable('no events')),
    () => withJson(jsonIn(stdout), (value) => readJestJson(value, folder, 'jest-json')),
    () => (/^\s*<(?:\?xml|testsuites?\b)/.test(stdout) ? readJunit(stdout, folder) : unreadable('no XML')),
    () => (mayBeTap && isTap(stdout) ? readTap(stdout, folder) : unreadable('no TAP')),
  ]
  for (const read of readers) {
    const reading = await read()
    if (reading.kind === 'read') return reading
  }
  return unreadable('it prints no report that we know')
}

function isTap(text: string): boolean {
  return (
    /^(?:TAP version 1\d|1\.\.0(?: #.*)?$)/m.test(text) ||
    (/^1\.\.\d+/m.test(text) && /^(?:not )?ok\b/m.test(text))
  )
}

function withJson(text: string, read: (value: unknown) => Reading): Reading {
  const value = jsonOf(text)
  return value === undefined ? unreadable('it is no whole JSON') : read(value)
}

/** Skips lines of the package manager before the report. */
function jsonIn(text: string): string {
  const start = /^\{/m.exec(text)
  return start === null ? '' : text.slice(start.index)
}
