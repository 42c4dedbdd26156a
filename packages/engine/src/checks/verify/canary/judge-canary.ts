/** What the planted tests have seen, beside what the runner reported. Pure. */
import type { PlantedFile } from './plant.ts'

interface ReportedTest {
  readonly name: string
  readonly file?: string | undefined
  readonly status: string
}

/** What a runner's own report says: undefined where there is none that names tests. */
type ReportedTests = readonly ReportedTest[] | undefined

export type CanaryJudgement =
  /** The runner notices what is false, up to its end. */
  | { readonly kind: 'seen'; readonly files: number }
  /** The reason ends a sentence. */
  | { readonly kind: 'tampered'; readonly reason: string }
  /** Nothing was seen that says so. */
  | { readonly kind: 'unseen' }

export interface Traces {
  /** Marks of files that wrote anything. */
  readonly loaded: ReadonlySet<string>
  /** Marks of files whose last test came to its end. */
  readonly last: ReadonlySet<string>
  /** Marks of files that no runner ran as tests, and that came to their end. */
  readonly ended: ReadonlySet<string>
  /** `MARK NAME` of every planted test that ran. */
  readonly tests: ReadonlySet<string>
  /** What is not as it must be. */
  readonly bad: readonly string[]
}

/** @param isAsked the report is one that we asked for: the tests of every runner of the line stand in it */
export function judgeCanary(
  planted: readonly PlantedFile[],
  runMark: string,
  traces: Traces,
  tests: ReportedTests,
  isAsked: boolean,
): CanaryJudgement {
  const [bad] = traces.bad
  if (bad !== undefined) return { kind: 'tampered', reason: `beside the product, ${bad}` }
  if (tests === undefined) return { kind: 'unseen' }
  const paths = new Map(planted.map(({ path, mark }) => [mark, path]))
  const ofMark = (mark: string) =>
    tests.filter(({ name, file }) => isOf(name, mark) || isOf(file ?? '', mark))
  const isUnrun = (mark: string): boolean =>
    ofMark(mark).some(({ name, status }) => {
      const word = /(?:last|plain|fails)$/iu.exec(name)?.[0].toLowerCase()
      return status === 'passed' && word !== undefined && !traces.tests.has(`${mark} ${word}`)
    })
  const unrun = planted.find(({ mark }) => isUnrun(mark))
  if (unrun !== undefined)
    return { kind: 'tampered', reason: `a test of ${unrun.path} is reported as passed that did not run` }
  if (!isAsked || traces.last.size === 0) return { kind: 'unseen' }
  const lost = [...traces.last].find((mark) => ofMark(mark).length === 0)
  if (lost !== undefined)
    return {
      kind: 'tampered',
      reason: `a test that ran in ${paths.get(lost) ?? lost} is missing in the report`,
    }
  const named = new Set(namedFiles(planted, runMark, tests))
  const unended = planted.find(({ path, mark }) => named.has(path) && !traces.last.has(mark))
  return unended === undefined ? { kind: 'seen', files: traces.last.size } : { kind: 'unseen' }
}

function isOf(text: string, mark: string): boolean {
  return new RegExp(`${mark}(?![0-9])`, 'iu').test(text)
}

/** Planted files of which the report names tests of the project. */
export function namedFiles(
  planted: readonly PlantedFile[],
  runMark: string,
  tests: ReportedTests,
): readonly string[] {
  const files = new Set(
    (tests ?? []).flatMap(({ name, file }) =>
      file === undefined || name.toLowerCase().includes(runMark) ? [] : [file.replace(/^\.\//u, '')],
    ),
  )
  const packages = new Set((tests ?? []).map(({ name }) => name.split(' > ', 1)[0] ?? ''))
  const isPackage = (folder: string): boolean =>
    [...packages].some((name) => folder === '' || name.endsWith(`/${folder.slice(0, -1)}`))
  return planted.flatMap(({ path }) => {
    // Go reports packages, not files.
    const folder = path.endsWith('_test.go') ? path.slice(0, path.lastIndexOf('/') + 1) : undefined
    return files.has(path) || (folder !== undefined && isPackage(folder)) ? [path] : []
  })
}

/** What the planted tests of a run wrote. */
export function readTraces(trace: string, runMark: string): Traces {
  const loaded = new Set<string>()
  const [last, ended] = [new Set<string>(), new Set<string>()]
  const [tests, bad] = [new Set<string>(), new Set<string>()]
  for (const line of trace.split('\n')) {
    const [mark = '', word, ...more] = line.trim().split(' ')
    if (!mark.startsWith(runMark) || mark === '') continue
    loaded.add(mark)
    if (word === 'bad') bad.add(more.join(' '))
    else if (word === 'end') ended.add(mark)
    else tests.add(`${mark} ${word ?? ''}`)
    if (word === 'last') last.add(mark)
  }
  return { loaded, last, ended, tests, bad: [...bad] }
}
