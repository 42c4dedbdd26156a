import { constants } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { joinReadings, readingOf, unreadable, type Reading } from '../report.ts'

const maxReportLength = 64 * 1024 * 1024

type ReadText = (text: string) => Promise<Reading>

/** One report: links, folders and pipes are none, and neither is one beyond 64 MiB. */
export async function readReport(path: string, read: ReadText): Promise<Reading> {
  const found = await reportText(path)
  return 'problem' in found ? unreadable(found.problem) : read(found.text)
}

async function reportText(path: string): Promise<{ readonly text: string } | { readonly problem: string }> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const found = await file.stat()
      if (!found.isFile()) return { problem: 'the report is no file' }
      if (found.size > maxReportLength)
        return { problem: `the report has ${found.size} bytes, more than is read` }
      return { text: await file.readFile('utf8') }
    } finally {
      await file.close()
    }
  } catch {
    return { problem: 'the report was not written' }
  }
}

/** The reports that several processes wrote into a folder: at least so many. */
export async function readReports(folder: string, least: number, read: ReadText): Promise<Reading> {
  const names = await readdir(folder).catch(() => [])
  const reports = names.filter((name) => name.endsWith('.xml')).sort()
  if (reports.length < least)
    return unreadable(`${reports.length} reports were written, of ${least} that were to come`)
  const readings: Reading[] = []
  for (const name of reports) readings.push(await readReport(join(folder, name), read))
  return joinReadings(readings)
}

/** Files are stamped with a clock of coarser steps than ours. */
const clockStepMs = 20
const maxModuleDepth = 6
const notEntered = new Set(['node_modules', '.git', '.gradle', 'src'])

/**
 * JUnit reports that a runner wrote into its own folders, such as `target/surefire-reports`, in any module. One that is
 * older than the run is not believed.
 */
export async function readFolders(
  root: string,
  names: readonly string[],
  startedMs: number,
  readJunit: ReadText,
): Promise<Reading> {
  const files = await xmlBelow(root, names, maxModuleDepth)
  const readings: Reading[] = []
  for (const file of files) {
    const found = await stat(file).catch(() => undefined)
    if (found !== undefined && found.mtimeMs >= startedMs - clockStepMs)
      readings.push(await readReport(file, readJunit))
  }
  if (readings.length === 0) return unreadable('no report was written')
  const bad = readings.find((reading) => reading.kind === 'unreadable')
  return (
    bad ??
    readingOf(
      'junit',
      readings.flatMap((one) => (one.kind === 'read' ? one.report.tests : [])),
    )
  )
}

async function xmlBelow(folder: string, names: readonly string[], depth: number): Promise<readonly string[]> {
  const reports = await Promise.all(names.map((name) => xmlIn(join(folder, name), 2)))
  if (depth === 0) return reports.flat()
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const modules = entries.filter((entry) => entry.isDirectory() && !notEntered.has(entry.name))
  const inner = await Promise.all(modules.map(({ name }) => xmlBelow(join(folder, name), names, depth - 1)))
  return [...reports.flat(), ...inner.flat()]
}

/** Gradle has a folder for every test task. */
async function xmlIn(folder: string, depth: number): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.xml'))
  const folders = depth > 1 ? entries.filter((entry) => entry.isDirectory()) : []
  const inner = await Promise.all(folders.map(({ name }) => xmlIn(join(folder, name), depth - 1)))
  return [...files.map(({ name }) => join(folder, name)), ...inner.flat()]
}
