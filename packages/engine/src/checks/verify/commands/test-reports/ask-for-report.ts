import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { findRunner, type FoundRunner } from './find-runner.ts'

/** Mocha reporter: prints as `spec` and writes Jest JSON next to itself. A failed hook counts as its file. */
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

/** node:test reporter: one atomic JUnit report per process. Removes itself from NODE_OPTIONS first. */
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
  /** One report per test process, at least `least`, if the line completes. */
  | {
      readonly kind: 'reports'
      readonly folder: string
      readonly format: ReportFormat
      readonly least: number
    }
  | { readonly kind: 'printed'; readonly format: ReportFormat }
  | { readonly kind: 'folders'; readonly names: readonly string[] }
  | { readonly kind: 'none' }

export interface ReportingLine {
  readonly line: string
  /** Added to the environment. */
  readonly variables: Readonly<Record<string, string>>
  readonly runner: FoundRunner | undefined
  readonly place: ReportPlace
  readonly added: string
  /** Occurs in the report's path only: output that contains it is about our report. */
  readonly mark: string | undefined
  /** Deletes the report; never rejects. */
  dispose(): Promise<void>
}

const ownFolders: Partial<Record<FoundRunner['runner'], readonly string[]>> = {
  surefire: ['target/surefire-reports', 'target/failsafe-reports'],
  gradle: ['build/test-results'],
}

/** Asks the line's runner for a report at an unguessable path, without changing what runs. */
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

/** Characters that neither shells nor option lists split. */
const plainPath = /^[\w/.-]+$/

/** The path must not reveal its purpose, because tests can read it. */
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
    // npm masks UUIDs as secrets.
    const path = join(folder, `${randomBytes(12).toString('hex')}.${ending}`)
    if (companion !== undefined) await writeFile(path, companion, { mode: 0o600 })
    return { folder, path, mark: basename(folder) }
  } catch {
    return undefined
  }
}

export type ReportFormat = 'junit' | 'vitest-json' | 'jest-json' | 'mocha-json' | 'rspec-json' | 'go-json'

/** Arguments and variables that add a report to the normal output. */
interface ReportRequest {
  readonly format: ReportFormat
  /** Undefined if the report is printed. */
  readonly ending?: string
  readonly words?: (path: string) => readonly string[]
  readonly variables?: (path: string, environment: Readonly<Record<string, string>>) => Record<string, string>
  readonly companion?: string
  readonly isOfEach?: boolean
  /** Arguments that already select another report. */
  readonly conflicts: RegExp
  /** Options, with values, that only affect normal output. No conflict. */
  readonly printing?: RegExp
  /** A variable that may select another report; the line must not set it. */
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
    // Of several reporters Mocha uses the last, ours.
    printing: /^(?:--reporter|-R)[= ](?:spec|dot|min|list|nyan|landing|progress)$/,
    conflicts: /^(?:--reporter|-R|--watch|-w|--dry-run|--)(?:=|$)/,
  },
  'node-test': {
    format: 'junit',
    ending: 'mjs',
    companion: nodeReporter,
    isOfEach: true,
    // The reporter removes these from the variable before any test starts.
    variables: (path, { NODE_OPTIONS: own = '' }) => ({
      NODE_OPTIONS: `${own} --test-reporter=spec --test-reporter-destination=stdout --test-reporter=${path} --test-reporter-destination=stderr`,
    }),
    conflicts: /^--(?:test-reporter|watch|test-only-list)\b/,
    taken: 'NODE_OPTIONS',
  },
  pytest: {
    format: 'junit',
    ending: 'xml',
    // Only the older family has lines and files of tests.
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
  // One file would contain only the last run's report.
  const isPossible = others.every((other) => request?.isOfEach === true && other === runner)
  return isPossible ? request : undefined
}

/** @returns undefined if it cannot report, or already reports otherwise */
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
