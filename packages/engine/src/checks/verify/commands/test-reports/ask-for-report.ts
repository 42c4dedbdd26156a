import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { findRunner, type FoundRunner } from './find-runner.ts'

/**
 * A Mocha reporter that prints as `spec` and writes the results as Jest does, to the file of its own name with the
 * ending `.json`. A failed hook stands for its file: those that it stands before were not run.
 */
const mochaReporter = `'use strict'
const { createRequire } = require('node:module')
const { existsSync, writeFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

const homeOfMocha = (folder) =>
  existsSync(join(folder, 'lib/reporters/spec.js')) || dirname(folder) === folder ? folder : homeOfMocha(dirname(folder))
const Spec = createRequire(require.main.filename)(join(homeOfMocha(dirname(require.main.filename)), 'lib/reporters/spec.js'))

module.exports = class extends Spec {
  constructor(runner, options) {
    super(runner, options)
    const testResults = []
    const add = (status) => (test, error) => {
      const message = String((error && (error.stack || error.message)) || error)
      const isHook = test.type === 'hook'
      const title = { ancestorTitles: test.titlePath().slice(0, -1), title: test.title }
      const result = { ...title, status, failureMessages: status === 'failed' ? [message] : [] }
      testResults.push({
        name: test.file || '',
        status,
        message: isHook ? test.title + ': ' + message : '',
        assertionResults: isHook ? [] : [result],
      })
    }
    runner.on('pass', add('passed')).on('fail', add('failed')).on('pending', add('pending'))
    runner.once('end', () => {
      const success = testResults.every(({ status }) => status !== 'failed')
      const report = { numTotalTests: testResults.length, success, testResults }
      writeFileSync(__filename.replace(/cjs$/, 'json'), JSON.stringify(report))
    })
  }
}
`

/**
 * A node:test reporter: every process that runs tests writes one JUnit report beside it, whole or not at all. It
 * removes itself from NODE_OPTIONS before tests start.
 */
const nodeReporter = `
import { randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { junit } from 'node:test/reporters'

const place = fileURLToPath(import.meta.url)
const [own] = (process.env.NODE_OPTIONS ?? '').split(' --test-reporter=spec')
if (own === '') delete process.env.NODE_OPTIONS
else process.env.NODE_OPTIONS = own

export default async function* (source) {
  let text = ''
  for await (const piece of junit(source)) text += piece
  const path = place.replace(/mjs$/, '') + randomBytes(6).toString('hex')
  writeFileSync(path, text, { mode: 0o600 })
  renameSync(path, path + '.xml')
}
`

type ReportPlace =
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

export interface ReportingLine {
  readonly line: string
  /** Added to its environment. */
  readonly variables: Readonly<Record<string, string>>
  readonly runner: FoundRunner | undefined
  readonly place: ReportPlace
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
 * Finds the runner that a line ends in and asks it for a report, by added arguments or a variable, without changing
 * what runs. The file has an unguessable name outside of the work folder; a hostile test can still find it.
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
  const place = await makePlace(folder, environment, request)
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

export function withoutReport(line: string, runner: FoundRunner | undefined): ReportingLine {
  const names = runner === undefined ? undefined : ownFolders[runner.runner]
  const place: ReportPlace = names === undefined ? { kind: 'none' } : { kind: 'folders', names }
  return { line, variables: {}, added: '', runner, place, mark: undefined, dispose: () => Promise.resolve() }
}

export function withWords(
  line: string,
  { insertAt, separators }: FoundRunner,
  words: readonly string[],
): string {
  if (words.length === 0 || insertAt === undefined) return line
  return `${line.slice(0, insertAt)} ${[...separators, ...words].join(' ')}${line.slice(insertAt)}`
}

/** Characters that no shell and no option list takes apart. */
const plainPath = /^[\w/.-]+$/

/** No name says that this is a report of ours: the tests can read it. */
async function makePlace(
  workFolder: string,
  { TMPDIR: own = tmpdir() }: Readonly<Record<string, string>>,
  { ending = '', companion }: ReportRequest,
) {
  try {
    const work = await realpath(workFolder)
    const parents = await Promise.all([own, tmpdir()].map((path) => realpath(path)))
    const isFree = (path: string) => plainPath.test(path) && !`${path}/`.startsWith(`${work}/`)
    const parent = parents.find(isFree)
    if (parent === undefined) return undefined
    const folder = await mkdtemp(join(parent, randomBytes(6).toString('hex')))
    // No UUID: npm takes one for a secret, and prints stars in its place.
    const path = join(folder, `${randomBytes(12).toString('hex')}.${ending}`)
    if (companion !== undefined) await writeFile(path, companion, { mode: 0o600 })
    return { folder, path, mark: basename(folder) }
  } catch {
    return undefined
  }
}

export type ReportFormat = 'junit' | 'vitest-json' | 'jest-json' | 'mocha-json' | 'rspec-json' | 'go-json'

/** What is added to have a report, beside what the runner prints for people. */
interface ReportRequest {
  readonly format: ReportFormat
  /** Ending of the file whose path is handed over; undefined if the report is what is printed. */
  readonly ending?: string
  readonly words?: (path: string) => readonly string[]
  readonly variables?: (path: string, environment: Readonly<Record<string, string>>) => Record<string, string>
  /** The content of that file, if it is a reporter that writes the report beside itself. */
  readonly companion?: string
  /** Every process writes its own report beside the companion. */
  readonly isOfEach?: boolean
  /** Words of its own that say that it reports in another way already. */
  readonly conflicts: RegExp
  /** Options, with their values, that choose only what is printed for people. They are no conflict. */
  readonly printing?: RegExp
  /** A variable that may hold words that report in another way; the line must not set it itself. */
  readonly taken?: string
}

const requests: Partial<Record<FoundRunner['runner'], ReportRequest>> = {
  vitest: {
    format: 'vitest-json',
    ending: 'json',
    words: (path) => ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`],
    printing: /^--reporter[= ](?:default|verbose|dot|basic|tree)$/,
    conflicts:
      /^--(?:outputFile|reporter)\b|^--$|^(?:watch|dev|typecheck)$|^(?:-w|--watch|--ui|--merge-reports.*)$/i,
  },
  jest: {
    format: 'jest-json',
    ending: 'json',
    words: (path) => ['--json', `--outputFile=${path}`, '--testLocationInResults'],
    conflicts: /^--(?:json|outputFile|testResultsProcessor|watch|watchAll|shard)\b|^--$/i,
  },
  mocha: {
    format: 'mocha-json',
    ending: 'cjs',
    words: (path) => ['--reporter', path],
    companion: mochaReporter,
    // Of several reporters Mocha takes the last one, which is ours.
    printing: /^(?:--reporter|-R)[= ](?:spec|dot|min|list|nyan|landing|progress)$/,
    conflicts: /^(?:--reporter|-R|--watch|-w|--dry-run|--)(?:=|$)/,
  },
  'node-test': {
    format: 'junit',
    ending: 'mjs',
    companion: nodeReporter,
    isOfEach: true,
    // The reporter takes these words out of the variable again, before any test is started.
    variables: (path, { NODE_OPTIONS: own = '' }) => ({
      NODE_OPTIONS: `${own} --test-reporter=spec --test-reporter-destination=stdout --test-reporter=${path} --test-reporter-destination=stderr`,
    }),
    conflicts: /^--(?:test-reporter|watch|test-only-list)\b/,
    taken: 'NODE_OPTIONS',
  },
  pytest: {
    format: 'junit',
    ending: 'xml',
    // Lines and files of the tests stand only in the older family.
    words: (path) => [`--junitxml=${path}`, '-o', 'junit_family=xunit1'],
    conflicts: /^--junit-?xml\b|^no:junitxml$|^-pno:junitxml$|^--$/,
    taken: 'PYTEST_ADDOPTS',
  },
  rspec: {
    format: 'rspec-json',
    ending: 'json',
    words: (path) => ['--format', 'progress', '--format', 'json', '--out', path],
    conflicts: /^(?:-f|--format|-o|--out|-O|--options|--drb|--bisect)/,
    taken: 'SPEC_OPTS',
  },
  go: { format: 'go-json', words: () => ['-json'], conflicts: /^--?(?:json|args|list|c|h|help)(?:=|$)/ },
  phpunit: {
    format: 'junit',
    ending: 'xml',
    words: (path) => ['--log-junit', path],
    conflicts: /^--(?:log-|list-|$)/,
  },
}

function requestOf({ runner, others }: FoundRunner): ReportRequest | undefined {
  const request = requests[runner]
  // One file would hold the report of the last of several runs alone.
  const isPossible = others.every((other) => request?.isOfEach === true && other === runner)
  return isPossible ? request : undefined
}

/** How this runner can be asked; undefined: it cannot, or reports in a way of its own already. */
function howToAsk(
  found: FoundRunner,
  environment: Readonly<Record<string, string>>,
): ReportRequest | undefined {
  const request = requestOf(found)
  if (request === undefined) return undefined
  if (hasConflict(found.args, request)) return undefined
  if (request.ending === undefined && found.isRedirected) return undefined
  if (request.words !== undefined && found.insertAt === undefined) return undefined
  if (request.taken !== undefined && found.assigned.includes(request.taken)) return undefined
  const own = request.taken === undefined ? undefined : environment[request.taken]
  if (own !== undefined && hasConflict(own.split(/\s+/), request)) return undefined
  return request
}

function hasConflict(words: readonly string[], { conflicts, printing }: ReportRequest): boolean {
  return words.some((word, index) => {
    const isPrinting = printing?.test(word) === true || printing?.test(`${word} ${words[index + 1]}`) === true
    return conflicts.test(word) && !isPrinting
  })
}
