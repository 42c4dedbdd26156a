import { z } from 'zod'
import {
  isRed,
  lineIn,
  nameOf,
  readingOf,
  relativeTo,
  unreadable,
  type Reading,
  type TestResult,
} from '../report.ts'
import { given, jsonOf } from '../../../../../base/index.ts'

type Status = TestResult['status']

function statusOf(word: string): Status {
  if (word === 'passed' || word === 'failed') return word
  return ['pending', 'skipped', 'todo', 'disabled'].includes(word) ? 'skipped' : 'errored'
}

const jestAssertion = z.looseObject({
  ancestorTitles: z.array(z.string()),
  title: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()).nullish(),
  location: z.looseObject({ line: z.number().int().positive() }).nullish(),
})

const jestFile = z.looseObject({
  name: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  assertionResults: z.array(jestAssertion),
})

const jestReport = z.looseObject({
  numTotalTests: z.number(),
  success: z.boolean(),
  testResults: z.array(jestFile),
})

/** Reads JSON of Vitest, Jest and our Mocha reporter, which share one shape. */
export function readJestJson(value: unknown, folder: string, format: string): Reading {
  const { data } = jestReport.safeParse(value)
  if (data === undefined) return unreadable('it is no JSON report of Vitest, Jest or Mocha')
  const tests = data.testResults.flatMap((one) => testsOfFile(one, folder))
  const unlisted = data.success || tests.some(isRed) || tests.length === 0 ? 0 : 1
  return readingOf(format, [...tests, ...outsideOfTests(unlisted, 'a failure outside of any test')])
}

function testsOfFile(
  { name, status, message, assertionResults }: z.infer<typeof jestFile>,
  folder: string,
): readonly TestResult[] {
  const path = relativeTo(folder, name)
  const tests = assertionResults.map((one): TestResult => {
    const said = one.failureMessages?.[0]
    return {
      name: nameOf(...one.ancestorTitles, one.title),
      file: path,
      status: statusOf(one.status),
      ...given({ line: one.location?.line ?? lineIn(said ?? '', name), message: said }),
    }
  })
  if (status !== 'failed' || tests.some((test) => test.status === 'failed')) return tests
  const broken: TestResult = { name: path, file: path, status: 'errored', isTest: false }
  return [...tests, { ...broken, ...(message ? { message } : {}) }]
}

function outsideOfTests(count: number, name: string): readonly TestResult[] {
  return count === 0 ? [] : [{ name, status: 'errored', isTest: false }]
}

const rspecReport = z.looseObject({
  examples: z.array(
    z.looseObject({
      full_description: z.string(),
      status: z.string(),
      file_path: z.string(),
      line_number: z.number().int().positive().nullish(),
      exception: z.looseObject({ message: z.string() }).nullish(),
    }),
  ),
  summary: z.looseObject({ errors_outside_of_examples_count: z.number().int().default(0) }),
})

/** Reads RSpec JSON. An example without a status was running when the process ended. */
export function readRspecJson(value: unknown, folder: string): Reading {
  const { data } = rspecReport.safeParse(value)
  if (data === undefined) return unreadable('it is no JSON report of RSpec')
  const outside = data.summary.errors_outside_of_examples_count
  const tests = data.examples.map((one) => ({
    name: one.full_description,
    file: relativeTo(folder, one.file_path),
    status: statusOf(one.status),
    ...given({ line: one.line_number ?? undefined, message: one.exception?.message.trim() }),
  }))
  return readingOf('rspec-json', [
    ...tests,
    ...outsideOfTests(outside, `${outside} errors outside of the examples`),
  ])
}

const goEvent = z.looseObject({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
})

type GoEvent = z.infer<typeof goEvent>

/** Reads `go test -json`. A package that fails without a failed test (build, panic) is errored. */
export function readGoJson(text: string): Reading {
  const lines = text.split('\n').map(parseGoEvent)
  const events = lines.filter((line) => typeof line === 'object')
  if (events.length === 0 && !lines.some(isBuildFailure)) return unreadable('it holds no events of go test')
  const packages = new Map<string, GoPackage>()
  for (const one of events) addGoEvent(one, packages)
  for (const line of lines.filter(isBuildFailure))
    packageOf(line.split('\t')[1]?.split(' ')[0] ?? line, packages).isFailed = true
  return readingOf(
    'go-json',
    [...packages].flatMap(([name, one]) => goResultsOf(name, one)),
  )
}

/** Rebuilds the output of `go test -v`. */
export function goOutputOf(text: string): string {
  const shown = text.split(/(?<=\n)/).map((line) => {
    const one = parseGoEvent(line.trimEnd())
    return typeof one === 'string' ? line : (one.Output ?? '')
  })
  return shown.join('')
}

function parseGoEvent(line: string): GoEvent | string {
  return line.startsWith('{') ? (goEvent.safeParse(jsonOf(line)).data ?? line) : line
}

/** Before Go 1.24 a build failure has no event, only this line. */
function isBuildFailure(line: GoEvent | string): line is string {
  return typeof line === 'string' && /^FAIL\t\S+ \[(?:build|setup) failed\]/.test(line)
}

interface GoPackage {
  readonly tests: Map<string, { readonly status: Status; readonly output: string }>
  isFailed: boolean
  output: string
}

/** Characters per test and per package. */
const maxOutputLength = 4_000

const goStatuses: ReadonlyMap<string, Status> = new Map([
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
])

function addGoEvent(one: GoEvent, packages: Map<string, GoPackage>): void {
  const name = one.Package ?? one.ImportPath
  if (name === undefined) return
  const entry = packageOf(name, packages)
  const { Action: action, Test: title, Output: said = '' } = one
  if (action === 'build-fail') entry.isFailed = true
  if (title === undefined) {
    if (action === 'fail') entry.isFailed = true
    if (entry.output.length < maxOutputLength) entry.output += said
    return
  }
  // A test without an end was running when the process ended.
  const { status, output } = entry.tests.get(title) ?? { status: 'errored', output: '' }
  const isOwn = output.length < maxOutputLength && !/^\s*(?:===|---) /.test(said)
  entry.tests.set(title, {
    status: goStatuses.get(action) ?? status,
    output: isOwn ? output + said : output,
  })
}

function packageOf(name: string, packages: Map<string, GoPackage>): GoPackage {
  const entry = packages.get(name) ?? { tests: new Map<string, never>(), isFailed: false, output: '' }
  packages.set(name, entry)
  return entry
}

function goResultsOf(name: string, { tests, isFailed, output }: GoPackage): readonly TestResult[] {
  const results = [...tests].map(([test, one]) =>
    goResultOf(nameOf(name, ...test.split('/')), one.status, one.output),
  )
  if (!isFailed || results.some(isRed)) return results
  return [...results, { ...goResultOf(name, 'errored', output), isTest: false }]
}

function goResultOf(name: string, status: Status, output: string): TestResult {
  const message = output.trim()
  return { name, status, ...(isRed({ status }) && message !== '' ? { message } : {}) }
}
