import type { TestCounts } from '../../events/index.ts'
import type { AskedLine } from './ask/ask-for-report.ts'
import type { Runner } from './ask/runner.ts'
import { readFormat, readPrinted } from './read/formats.ts'
import { readFolders, reportText } from './read/report-file.ts'
import { unreadable, type Reading } from './report.ts'
import { readText } from './text/read-text.ts'
import type { SpokenRunner } from './text/summary.ts'

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
}

/**
 * The best source that there is: the report that was asked for, then one that is printed or stands in the runner's own
 * folders, then the summary for people. A report that was asked for and did not come, with exit code 0, is no reason
 * to believe the summary: a test that ends the whole process can print one.
 */
export async function takeReport({ place, runner }: AskedLine, remains: Remains): Promise<Taken> {
  const { folder, shown, stdout, exitCode } = remains
  const spoken = runner === undefined ? undefined : spokenBy(runner.runner)
  switch (place.kind) {
    case 'file': {
      const read = await reportText(place.path)
      const reading =
        'problem' in read ? unreadable(read.problem) : readFormat(read.text, place.format, folder)
      if (reading.kind === 'read') return { reading, printed: countsSpoken(shown, spoken) }
      return { reading: exitCode === 0 ? reading : readText(shown, spoken), printed: undefined }
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
      if (reading.kind === 'read') return { reading, printed: countsSpoken(shown, spoken) }
      return { reading: readText(shown, spoken), printed: undefined }
    }
    case 'none': {
      const reading = readPrinted(stdout, folder)
      return { reading: reading.kind === 'read' ? reading : readText(shown, spoken), printed: undefined }
    }
  }
}

function spokenBy(runner: Runner): SpokenRunner | undefined {
  return runner === 'gotestsum' || runner === 'gradle' || runner === 'other' ? undefined : runner
}

function countsSpoken(shown: string, spoken: SpokenRunner | undefined): TestCounts | undefined {
  if (spoken === undefined) return undefined
  const reading = readText(shown, spoken)
  return reading.kind === 'read' ? reading.report.counts : undefined
}
