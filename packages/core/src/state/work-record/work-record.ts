/** What the record shows of how the work was made and tried: bounded numbers and names, folded call by call (I2). */
import { appendBounded } from '../activity/index.ts'
import { isWritingText } from './command-words.ts'
import type { Deed } from './deeds.ts'
import { failingTestsIn, readTestResult, type TestResult } from './test-result.ts'

/** A file that the drive wrote whole: running it proves no more than what the drive put into it. */
export interface OwnFile {
  readonly path: string
  /** Sequence number of the event that answered the call. */
  readonly written: number
  /** Null: not since it was written. */
  readonly ran: number | null
  /** Running it writes files. */
  readonly writes: boolean
  /** It was taken away again. */
  readonly isGone: boolean
}

export interface WorkRecord {
  /** Calls that ran. */
  readonly calls: number
  /** Sequence numbers of the latest of each; null: there was none. */
  readonly lastEdit: number | null
  readonly lastCommand: number | null
  readonly lastTests: number | null
  readonly lastPassedTests: number | null
  /** Of the latest run of the project's tests; null: they were not run. */
  readonly testResult: TestResult | null
  /** The latest run of a script or test of its own. */
  readonly ownRun: { readonly sequence: number; readonly failed: boolean } | null
  readonly ownFiles: readonly OwnFile[]
  /** Files that it changed, the latest last. */
  readonly editedFiles: readonly string[]
  /** Tests of the project that failed in so many runs in a row, up to the latest. */
  readonly failingTests: readonly { readonly name: string; readonly times: number }[]
  /** Tests that were started and had not ended when the drive last looked, by the id under which they run. */
  readonly openRuns: readonly string[]
  /** The latest call that took files away that were its own, or nobody's. */
  readonly tidied: number | null
  /** When the tree was looked at last. */
  readonly treeSeen: number
}

export const noWorkRecord: WorkRecord = {
  calls: 0,
  lastEdit: null,
  lastCommand: null,
  lastTests: null,
  lastPassedTests: null,
  testResult: null,
  ownRun: null,
  ownFiles: [],
  editedFiles: [],
  failingTests: [],
  openRuns: [],
  tidied: null,
  treeSeen: 0,
}

const keptFiles = 64
const keptFailing = 32
const keptRuns = 8

/** A call that ran, as far as the record of work looks at it. */
export interface RanCall {
  readonly sequence: number
  readonly deeds: readonly Deed[]
  /** Undefined: it did not come to its end, or nobody knows how. */
  readonly failed: boolean | undefined
  readonly output: string
  /** All that it was called with, as one text. */
  readonly argsText: string
  /** It says itself that it changed nothing. */
  readonly changedNothing: boolean
}

export function withRanCall(record: WorkRecord, call: RanCall): WorkRecord {
  const counted = { ...record, calls: record.calls + 1 }
  const done = call.deeds.reduce((next, deed) => withDeed(next, deed, call), counted)
  return { ...done, openRuns: openRunsAfter(done, call) }
}

/** The tree is another one than before, and no call that is known to change files was made since: somebody changed it. */
export function withTreeSeen(record: WorkRecord, sequence: number, isOther: boolean): WorkRecord {
  const known = [
    record.lastEdit,
    record.lastTests,
    record.ownRun?.sequence,
    record.tidied,
    ...record.ownFiles.map(({ written }) => written),
  ]
  const isExplained = known.some((at) => at != null && at > record.treeSeen)
  return { ...record, treeSeen: sequence, lastEdit: isOther && !isExplained ? sequence : record.lastEdit }
}

/** The latest change of the work, scripts left out that were only there to be run. Null: nothing was changed. */
export function lastEditOf(record: WorkRecord): number | null {
  const delivered = record.ownFiles
    .filter((file) => !file.isGone && !isScratch(file))
    .map(({ written }) => written)
  const edits = [...delivered, ...(record.lastEdit === null ? [] : [record.lastEdit])]
  return edits.length === 0 ? null : Math.max(...edits)
}

const scratchName =
  /(?:^|\/)(?:repro|reproduce|debug|tmp|temp|scratch|verify|check|demo|try)[\w-]*(?:\.\w+)?\/?$|^(?:\.\/)?(?:repro|scratch|tmp|temp)[\w-]*\/|^\/(?:var\/)?tmp\//i

/** Scripts by whose names it is tried how something behaves: what they write is what they need. */
const trying = /(?:^|\/|_)(?:repro|test|verify|check|debug|demo|try)[^/]*$/i

function isScratch({ ran, path }: OwnFile): boolean {
  return ran !== null || scratchName.test(path)
}

function withDeed(record: WorkRecord, deed: Deed, call: RanCall): WorkRecord {
  const { sequence, failed } = call
  switch (deed.kind) {
    case 'command':
      return { ...record, lastCommand: sequence }
    case 'tests':
      return withTests(record, deed, call)
    case 'program': {
      const own = deed.path === null ? undefined : ownFileAt(record, deed.path)
      if (deed.path !== null && own === undefined) return { ...record, lastCommand: sequence }
      // A program that writes files is the way in which an edit was made.
      if (deed.writes || own?.writes === true)
        return { ...record, lastEdit: sequence, ...ranOf(record, own, sequence) }
      return { ...record, ownRun: { sequence, failed: failed === true }, ...ranOf(record, own, sequence) }
    }
    case 'write':
      return call.changedNothing ? record : withWrite(record, deed, call)
    case 'removal':
      return withRemoval(record, deed.paths, sequence)
  }
}

const leftOver =
  /(?:^|\/)(?:__pycache__|\.pytest_cache|\.mypy_cache|_?build|dist|coverage|\.coverage|htmlcov)(?:\/|$)|\.(?:pyc|log|out|tmp|bak|orig|rej|patch|diff|swp)$/

/** Its own scripts, what they have left and caches are tidied away; whatever else is removed is an edit. */
function withRemoval(record: WorkRecord, paths: readonly string[], sequence: number): WorkRecord {
  const isGone = (file: OwnFile) =>
    paths.some((path) => isSamePath(file.path, path) || isBelow(file.path, path))
  const ownFiles = record.ownFiles.map((file) => (isGone(file) ? { ...file, isGone: true } : file))
  const isOwn = (path: string) =>
    record.ownFiles.some((file) => isSamePath(file.path, path) || isBelow(file.path, path))
  const others = paths.filter(
    (path) => !isOwn(path) && !isOutside(path) && !scratchName.test(path) && !leftOver.test(path),
  )
  // Beside its own scripts lies what they have written.
  const isTidying = others.length === 0 || (paths.some(isOwn) && others.every((path) => !path.includes('/')))
  return isTidying ? { ...record, ownFiles, tidied: sequence } : { ...record, ownFiles, lastEdit: sequence }
}

function isSamePath(one: string, other: string): boolean {
  const [first, second] = [plainPath(one), plainPath(other)]
  return first === second || first.endsWith(`/${second}`) || second.endsWith(`/${first}`)
}

function isBelow(path: string, folder: string): boolean {
  return plainPath(path).startsWith(`${plainPath(folder)}/`)
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
}

function ranOf(
  { ownFiles }: WorkRecord,
  own: OwnFile | undefined,
  sequence: number,
): Pick<WorkRecord, 'ownFiles'> {
  return { ownFiles: ownFiles.map((file) => (file === own ? { ...file, ran: sequence } : file)) }
}

function withTests(record: WorkRecord, deed: Extract<Deed, { kind: 'tests' }>, call: RanCall): WorkRecord {
  const { sequence, failed, output } = call
  const exit = !deed.exitIsIts || failed === undefined ? undefined : failed ? 'other' : 'zero'
  const result = readTestResult(output, exit)
  // Of what could not even begin, nothing is known but that it was tried.
  if (result === 'not-started') return { ...record, lastCommand: sequence }
  const ownRunner = deed.runner === null ? undefined : ownFileAt(record, deed.runner)
  const targets = deed.files.map((target) => ownFileAt(record, target))
  const isOwn = ownRunner !== undefined || (targets.length > 0 && targets.every((own) => own !== undefined))
  if (isOwn) {
    const ran = [ownRunner, ...targets].reduce(
      (next, own) => ({ ...next, ...ranOf(next, own, sequence) }),
      record,
    )
    return { ...ran, ownRun: { sequence, failed: result === 'failed' } }
  }
  return {
    ...record,
    failingTests: failingAfter(record, result, output),
    lastTests: sequence,
    testResult: result,
    lastPassedTests: result === 'passed' ? sequence : record.lastPassedTests,
  }
}

/** A run that does not name a test among those that fail may not have run it: then it is no longer known to fail. */
function failingAfter(
  { failingTests }: WorkRecord,
  result: TestResult,
  output: string,
): WorkRecord['failingTests'] {
  if (result === 'unknown') return failingTests
  const names = result === 'failed' ? failingTestsIn(output) : []
  if (result === 'failed' && names.length === 0) return failingTests
  return names
    .slice(0, keptFailing)
    .map((name) => ({ name, times: 1 + (failingTests.find((one) => one.name === name)?.times ?? 0) }))
}

function withWrite(record: WorkRecord, deed: Extract<Deed, { kind: 'write' }>, call: RanCall): WorkRecord {
  const { path, text } = deed
  const { sequence } = call
  if (path === null) return { ...record, lastEdit: sequence }
  const known = ownFileAt(record, path)
  if (text === undefined && isOutside(path)) return record
  const editedFiles = isOutside(path)
    ? record.editedFiles
    : appendBounded(
        record.editedFiles.filter((one) => one !== path),
        path,
        keptFiles,
      )
  if (text === undefined && known === undefined) return { ...record, lastEdit: sequence, editedFiles }
  const own = {
    path,
    written: sequence,
    ran: null,
    isGone: false,
    writes: text === undefined ? known?.writes === true : isWritingText(text) && !trying.test(path),
  }
  const others = record.ownFiles.filter((file) => file !== known)
  const forgotten = others.length >= keptFiles ? (others[0]?.written ?? null) : null
  return {
    ...record,
    editedFiles,
    lastEdit: forgotten === null ? record.lastEdit : Math.max(forgotten, record.lastEdit ?? 0),
    ownFiles: appendBounded(others, own, keptFiles),
  }
}

/** Where nothing belongs to the work. */
function isOutside(path: string): boolean {
  return /^\/(?:var\/)?tmp\/|^\/dev\//.test(path)
}

/** A run may name a file, or the module that it is. */
function ownFileAt({ ownFiles }: WorkRecord, target: string): OwnFile | undefined {
  return ownFiles.findLast(({ path }) => {
    if (isSamePath(path, target)) return true
    const module = /([^/]+)\.py$/.exec(path)?.[1]
    return (
      module !== undefined &&
      !target.includes('/') &&
      target.split('.').includes(module) &&
      !/^tests?$/.test(module)
    )
  })
}

const stillRunning =
  /\brunning (?:in (?:the )?background )?with (?:session )?id:? *"?([\w-]+)|<status>running<\/status>|"status": ?"running"/i

function openRunsAfter({ openRuns }: WorkRecord, { deeds, output, argsText }: RanCall): readonly string[] {
  const running = stillRunning.exec(output)
  const started = deeds.some(({ kind }) => kind === 'tests') ? running?.[1] : undefined
  if (started !== undefined) return appendBounded(openRuns, started, keptRuns)
  return openRuns.filter((id) => running !== null || !argsText.includes(`"${id}"`))
}
