import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { findRunner, type FoundRunner } from './find-runner.ts'
import { howToAsk, type ReportFormat, type ReportRequest } from './how-to-ask.ts'

/** Where the report of this run will be. */
export type ReportPlace =
  | { readonly kind: 'file'; readonly path: string; readonly format: ReportFormat }
  /** One of each process that ran tests, in a folder of theirs; at least so many, where the line came to its end. */
  | {
      readonly kind: 'reports'
      readonly folder: string
      readonly format: ReportFormat
      readonly least: number
    }
  | { readonly kind: 'printed'; readonly format: ReportFormat }
  /** The runner writes files into its own folders, whether it is asked or not. */
  | { readonly kind: 'folders'; readonly names: readonly string[] }
  | { readonly kind: 'none' }

/** A line as it is run so that it reports. */
export interface ReportingLine {
  readonly line: string
  /** Added to its environment. */
  readonly variables: Readonly<Record<string, string>>
  readonly runner: FoundRunner | undefined
  readonly place: ReportPlace
  /** The words that were put into the line. */
  readonly added: string
  /** Stands in the report's path, and nowhere else: what prints it speaks of our report. */
  readonly mark: string | undefined
  /** Takes the report away; never rejects. */
  dispose(): Promise<void>
}

const ownFolders: Partial<Record<FoundRunner['runner'], readonly string[]>> = {
  surefire: ['target/surefire-reports', 'target/failsafe-reports'],
  gradle: ['build/test-results'],
}

/**
 * Finds out which runner a line comes to, and asks it for a report beside what it prints, without changing what is run:
 * by words at the end or by a variable. The file lies under a name that nobody can guess, outside of the work folder.
 * The tests themselves can read that name from their own arguments or environment: a hostile one may write to it.
 */
export async function askForReport(
  line: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<ReportingLine> {
  const runner = findRunner(line, folder)
  const request = runner === undefined ? undefined : howToAsk(runner, environment)
  if (runner === undefined || request === undefined) return withoutReport(line, runner)
  if (request.ending === undefined) {
    const asked = withWords(line, runner, request.words?.('') ?? [])
    return { ...withoutReport(asked, runner), place: { kind: 'printed', format: request.format } }
  }
  const place = await makePlace(folder, request)
  if (place === undefined) return withoutReport(line, runner)
  const words = request.words?.(place.path) ?? []
  return {
    line: withWords(line, runner, words),
    added: words.join(' '),
    variables: request.variables?.(place.path, environment) ?? {},
    runner,
    place:
      request.isOfEach === true
        ? { kind: 'reports', folder: place.folder, format: request.format, least: runner.others.length + 1 }
        : { kind: 'file', path: place.path.replace(/cjs$/, 'json'), format: request.format },
    mark: place.mark,
    dispose: () => rm(place.folder, { recursive: true, force: true }).catch(() => undefined),
  }
}

/** The line as it is. */
export function withoutReport(line: string, runner: FoundRunner | undefined): ReportingLine {
  const names = runner === undefined ? undefined : ownFolders[runner.runner]
  const place: ReportPlace = names === undefined ? { kind: 'none' } : { kind: 'folders', names }
  return { line, variables: {}, added: '', runner, place, mark: undefined, dispose: () => Promise.resolve() }
}

function withWords(line: string, { insertAt, separators }: FoundRunner, words: readonly string[]): string {
  if (words.length === 0 || insertAt === undefined) return line
  return `${line.slice(0, insertAt)} ${[...separators, ...words].join(' ')}${line.slice(insertAt)}`
}

/** Characters that no shell and no option list takes apart. */
const plainPath = /^[\w/.-]+$/

async function makePlace(workFolder: string, { ending = '', companion }: ReportRequest) {
  try {
    const parent = await realpath(tmpdir())
    const work = await realpath(workFolder)
    if (!plainPath.test(parent) || `${parent}/`.startsWith(`${work}/`)) return undefined
    const folder = await mkdtemp(join(parent, 'test-report-'))
    // No UUID: npm takes one for a secret, and prints stars in its place.
    const path = join(folder, `${randomBytes(12).toString('hex')}.${ending}`)
    if (companion !== undefined) await writeFile(path, companion, { mode: 0o600 })
    return { folder, path, mark: basename(folder) }
  } catch {
    return undefined
  }
}
