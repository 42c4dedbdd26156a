import type { TestCounts } from '@donecheck/core/verdicts'
import type { ReportingLine } from './ask/ask-for-report.ts'
import type { FoundRunner } from './ask/find-runner.ts'
import { readFormat, readPrinted } from './read/formats.ts'
import { readFolders, readReport, readReports } from './read/report-file.ts'
import type { Reading } from './report.ts'
import { isTextRunner, lastRunnerIn, readText, unendedRunnerIn, type TextRunner } from './text/read-text.ts'

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
  /** Why exit code 0 proves nothing, as half a sentence. */
  readonly refusal?: string
}

/**
 * The best source that there is: the report that was asked for, then one that is printed or lies in the runner's own
 * folders, then the summary for people. With exit code 0 a report that was asked for and did not come is no reason to
 * believe the summary: a test that ends the process can print one.
 */
export async function takeReport({ place, runner }: ReportingLine, remains: Remains): Promise<Taken> {
  const { shown, exitCode } = remains
  const known = [runner?.runner, ...(runner?.others ?? [])].filter((one) => one !== undefined)
  // A runner of whose words we know nothing may be behind any of them.
  const spoken = known.length > 0 && known.every(isTextRunner) ? known.filter(isTextRunner) : undefined
  const isAsked = place.kind === 'file' || place.kind === 'reports' || place.kind === 'printed'
  const reading = await readPlace(place, runner, remains)
  if (isAsked) {
    if (reading.kind === 'read') return { reading, printed: printedCounts(place, shown, spoken) }
    if (exitCode !== 0) return { reading: readText(shown, spoken) }
    const name = runner?.runner ?? 'its test runner'
    return { reading, refusal: `${name} ended before its report was complete (${reading.problem})` }
  }
  if (exitCode === 0) {
    const isVisible = runner?.isRedirected === false
    const unended = unendedRunnerIn(shown, isVisible && spoken?.length === 1 ? spoken[0] : undefined)
    if (unended !== undefined)
      return { reading, refusal: `${unended} ended before it printed how many tests it had run` }
  }
  return { reading: reading.kind === 'read' ? reading : readText(shown, spoken) }
}

function printedCounts(
  place: ReportingLine['place'],
  shown: string,
  spoken: readonly TextRunner[] | undefined,
): TestCounts | undefined {
  if (spoken === undefined || place.kind === 'printed') return undefined
  const printed = readText(shown, spoken)
  return printed.kind === 'read' ? printed.report.counts : undefined
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
      return readPrinted(stdout, folder, lastRunnerIn(shown))
  }
}
