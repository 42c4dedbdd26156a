import type { TestCounts } from '@donecheck/core/verdicts'
import type { ReportingLine } from './ask/ask-for-report.ts'
import type { FoundRunner } from './ask/find-runner.ts'
import { readFormat, readPrinted, readTapOfEach } from './read/formats.ts'
import { readFolders, readReport, readReports } from './read/report-file.ts'
import { unreadable, type Reading } from './report.ts'
import { readText, readTextOfEach, isTextRunner } from './text/read-text.ts'

/** What a line left behind when it had ended. */
export interface Remains {
  readonly folder: string
  readonly exitCode: number
  readonly startedMs: number
  readonly stdout: string
  /** Both streams as people read them; of a long one the two ends. */
  readonly shown: string
}

export interface Taken {
  readonly reading: Reading
  /** What the runner printed for people beside a report. */
  readonly printed?: TestCounts | undefined
  /** What the reading does not tell of. */
  readonly notes?: readonly string[]
}

/**
 * The best source that there is: the report that was asked for, then one that is printed or stands in the runner's own
 * folders, then the summary for people. A report that was asked for and did not come, with exit code 0, is no reason
 * to believe the summary: a test that ends the whole process can print one.
 */
export async function takeReport({ place, runner }: ReportingLine, remains: Remains): Promise<Taken> {
  const { shown, exitCode } = remains
  if (place.kind === 'none' && runner !== undefined && runner.others.length > 0)
    return takeOfSeveral(runner, remains)
  const spoken = runner !== undefined && isTextRunner(runner.runner) ? runner.runner : undefined
  const reading = await readPlace(place, runner, remains)
  if (reading.kind === 'unreadable') {
    const isMissing = exitCode === 0 && place.kind !== 'folders' && place.kind !== 'none'
    const said = isMissing ? reading : readText(shown, place.kind === 'reports' ? undefined : spoken)
    return { reading: said }
  }
  if (spoken === undefined || place.kind === 'printed' || place.kind === 'none') return { reading }
  const printed = place.kind === 'reports' ? readTextOfEach(shown, spoken) : readText(shown, spoken)
  return { reading, printed: printed.kind === 'read' ? printed.report.counts : undefined }
}

async function readPlace(
  place: ReportingLine['place'],
  runner: FoundRunner | undefined,
  { folder, exitCode, startedMs, stdout }: Remains,
): Promise<Reading> {
  switch (place.kind) {
    case 'file':
      return readReport(place.path, (text) => readFormat(text, place.format, folder))
    case 'reports': {
      // After a failure, what stands behind it is not run.
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
      return readPrinted(stdout, folder)
  }
}

/** What several runners printed one after the other. */
async function takeOfSeveral(
  { others }: FoundRunner,
  { folder, shown, stdout, exitCode }: Remains,
): Promise<Taken> {
  const least = others.length + 1
  const printed = await readPrinted(stdout, folder)
  const readings = [readTapOfEach(stdout, folder), readText(shown, undefined), printed]
  const isOfAll = (reading: Reading) => runsIn(reading) >= least
  const reading = readings.find(isOfAll) ?? readings.find(({ kind }) => kind === 'read')
  if (reading === undefined) return { reading: unreadable('none of its runners prints what can be read') }
  const runs = runsIn(reading)
  const which = runs === 1 ? 'one runner only, such as the last one' : `${runs} runs of runners only`
  const notes = isOfAll(reading) || exitCode !== 0 ? [] : [`counts are of ${which}: the line runs ${least}`]
  return { reading, notes }
}

function runsIn(reading: Reading): number {
  return reading.kind === 'read' ? (reading.report.parts?.length ?? 1) : 0
}
