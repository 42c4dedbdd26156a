import type { TestCounts } from '@donecheck/core/verdicts'
import type { ReportingLine } from './ask/ask-for-report.ts'
import type { FoundRunner } from './ask/find-runner.ts'
import type { Runner } from './ask/runner.ts'
import { readFormat, readPrinted, readTapOfEach } from './read/formats.ts'
import { readFolders, readReports, reportText } from './read/report-file.ts'
import { unreadable, type Reading } from './report.ts'
import { readText, readTextOfEach } from './text/read-text.ts'
import type { TextRunner } from './text/summary.ts'

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
  readonly printed: TestCounts | undefined
  /** What the reading does not tell of. */
  readonly notes?: readonly string[]
}

/**
 * The best source that there is: the report that was asked for, then one that is printed or stands in the runner's own
 * folders, then the summary for people. A report that was asked for and did not come, with exit code 0, is no reason
 * to believe the summary: a test that ends the whole process can print one.
 */
export async function takeReport({ place, runner }: ReportingLine, remains: Remains): Promise<Taken> {
  const { folder, shown, stdout, exitCode } = remains
  const spoken = runner === undefined ? undefined : spokenBy(runner.runner)
  switch (place.kind) {
    case 'file': {
      const read = await reportText(place.path)
      const reading =
        'problem' in read ? unreadable(read.problem) : readFormat(read.text, place.format, folder)
      if (reading.kind === 'read') return { reading, printed: countsInText(shown, spoken) }
      return { reading: exitCode === 0 ? reading : readText(shown, spoken), printed: undefined }
    }
    case 'reports': {
      const read = (text: string) => readFormat(text, place.format, folder)
      // After a failure, what stands behind it is not run.
      const reading = await readReports(place.folder, exitCode === 0 ? place.least : 1, read)
      if (reading.kind === 'read') return { reading, printed: countsOfEach(shown, spoken) }
      return { reading: exitCode === 0 ? reading : readText(shown, undefined), printed: undefined }
    }
    case 'printed': {
      const reading = readFormat(stdout, place.format, folder)
      return {
        reading: reading.kind === 'read' || exitCode === 0 ? reading : readText(shown, spoken),
        printed: undefined,
      }
    }
    case 'folders': {
      const reading = await readFolders(runner?.folder ?? folder, place.names, remains.startedMs)
      if (reading.kind === 'read') return { reading, printed: countsInText(shown, spoken) }
      return { reading: readText(shown, spoken), printed: undefined }
    }
    case 'none': {
      if (runner !== undefined && runner.others.length > 0) return takeOfSeveral(runner, remains)
      const reading = readPrinted(stdout, folder)
      return { reading: reading.kind === 'read' ? reading : readText(shown, spoken), printed: undefined }
    }
  }
}

/** What several runners printed one after the other. */
function takeOfSeveral({ others }: FoundRunner, { folder, shown, stdout, exitCode }: Remains): Taken {
  const least = others.length + 1
  const readings = [readTapOfEach(stdout, folder), readText(shown, undefined), readPrinted(stdout, folder)]
  const isOfAll = (reading: Reading) => runsIn(reading) >= least
  const reading = readings.find(isOfAll) ?? readings.find(({ kind }) => kind === 'read')
  if (reading === undefined)
    return { reading: unreadable('none of its runners prints what can be read'), printed: undefined }
  const runs = runsIn(reading)
  const which = runs === 1 ? 'one runner only, such as the last one' : `${runs} runs of runners only`
  const notes = isOfAll(reading) || exitCode !== 0 ? [] : [`counts are of ${which}: the line runs ${least}`]
  return { reading, printed: undefined, notes }
}

function runsIn(reading: Reading): number {
  return reading.kind === 'read' ? (reading.report.parts?.length ?? 1) : 0
}

function spokenBy(runner: Runner): TextRunner | undefined {
  return runner === 'gotestsum' || runner === 'gradle' || runner === 'other' ? undefined : runner
}

function countsInText(shown: string, spoken: TextRunner | undefined): TestCounts | undefined {
  return spoken === undefined ? undefined : countsIn(readText(shown, spoken))
}

function countsOfEach(shown: string, spoken: TextRunner | undefined): TestCounts | undefined {
  return spoken === undefined ? undefined : countsIn(readTextOfEach(shown, spoken))
}

function countsIn(reading: Reading): TestCounts | undefined {
  return reading.kind === 'read' ? reading.report.counts : undefined
}
