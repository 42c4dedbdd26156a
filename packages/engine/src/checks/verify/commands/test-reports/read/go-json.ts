import { z } from 'zod'
import { nameOf, readingOf, unreadable, type Reading, type TestResult, isRed } from '../report.ts'
import { jsonOf } from '../../../../../base/index.ts'

const event = z.looseObject({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
  FailedBuild: z.string().optional(),
})

type GoEvent = z.infer<typeof event>

/** The JSON lines of `go test -json`. A package that fails without a failed test (build, panic, exit) is errored. */
export function readGoJson(text: string): Reading {
  const lines = text.split('\n').map(parseEvent)
  const events = lines.filter((line) => typeof line === 'object')
  if (events.length === 0 && !lines.some(isBuildFailure)) return unreadable('it holds no events of go test')
  const packages = new Map<string, GoPackage>()
  for (const one of events) take(one, packages)
  for (const line of lines.filter(isBuildFailure))
    packageOf(line.split('\t')[1]?.split(' ')[0] ?? line, packages).isFailed = true
  return readingOf(
    'go-json',
    [...packages].flatMap(([name, one]) => resultsOf(name, one)),
  )
}

/** What `go test -v` would have printed: the outputs of the events and the lines that are no events. */
export function goOutputOf(text: string): string {
  const shown = text.split(/(?<=\n)/).map((line) => {
    const one = parseEvent(line.trimEnd())
    return typeof one === 'string' ? line : (one.Output ?? '')
  })
  return shown.join('')
}

/** A line that is no event stays a text. */
function parseEvent(line: string): GoEvent | string {
  return line.startsWith('{') ? (event.safeParse(jsonOf(line)).data ?? line) : line
}

/** Before Go 1.24 a package that does not build has no event, only this line. */
function isBuildFailure(line: GoEvent | string): line is string {
  return typeof line === 'string' && /^FAIL\t\S+ \[(?:build|setup) failed\]/.test(line)
}

type GoStatus = TestResult['status'] | 'running'

interface GoPackage {
  readonly tests: Map<string, { status: GoStatus; output: string }>
  isFailed: boolean
  output: string
}

const maxOutputLength = 4_000

function take(one: GoEvent, packages: Map<string, GoPackage>): void {
  const name = one.Package ?? one.ImportPath
  if (name === undefined) return
  const entry = packageOf(name, packages)
  if (one.Action === 'build-fail') entry.isFailed = true
  if (one.Test === undefined) {
    if (one.Action === 'fail') entry.isFailed = true
    if (entry.output.length < maxOutputLength) entry.output += one.Output ?? ''
    return
  }
  const test = entry.tests.get(one.Test) ?? { status: 'running' as const, output: '' }
  const output = test.output.length < maxOutputLength ? test.output + outputOf(one) : test.output
  entry.tests.set(one.Test, { status: statuses.get(one.Action) ?? test.status, output })
}

function packageOf(name: string, packages: Map<string, GoPackage>): GoPackage {
  const entry = packages.get(name) ?? { tests: new Map<string, never>(), isFailed: false, output: '' }
  packages.set(name, entry)
  return entry
}

function outputOf({ Output: output = '' }: GoEvent): string {
  return /^\s*(?:===|---) /.test(output) ? '' : output
}

const statuses: ReadonlyMap<string, TestResult['status']> = new Map([
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['skip', 'skipped'],
])

function resultsOf(name: string, { tests, isFailed, output }: GoPackage): TestResult[] {
  const results = [...tests].map(([test, { status, output: said }]) =>
    resultOf(nameOf(name, ...test.split('/')), status === 'running' ? 'errored' : status, said),
  )
  if (!isFailed || results.some(isRed)) return results
  return [...results, { ...resultOf(name, 'errored', output), isTest: false }]
}

function resultOf(name: string, status: TestResult['status'], output: string): TestResult {
  const message = output.trim()
  return { name, status, ...(isRed({ status }) && message !== '' ? { message } : {}) }
}
