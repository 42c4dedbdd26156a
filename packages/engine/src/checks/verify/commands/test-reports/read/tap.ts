import { Parser, type Result } from 'tap-parser'
import { z } from 'zod'
import {
  joinReadings,
  nameOf,
  readingOf,
  relativeTo,
  unreadable,
  isRed,
  type Reading,
  type TestResult,
} from '../report.ts'

const diagnosis = z.looseObject({
  error: z.string().optional(),
  message: z.string().optional(),
  location: z.string().optional(),
  type: z.string().optional(),
})

export function readTap(text: string, folder: string): Reading {
  return joinReadings(splitStreams(text).map((stream) => readStream(stream, folder)))
}

/** Splits at a version line, a second plan, or restarted numbering. Indented lines are subtests. */
function splitStreams(text: string): readonly string[] {
  const streams: string[][] = [[]]
  let points = 0
  let planned: number | undefined
  let isVersioned = false
  for (const line of text.split('\n')) {
    const version = /^TAP version 1\d$/.test(line)
    const plan = /^1\.\.(\d+)/.exec(line)
    const point = /^(?:not )?ok\b(?: (\d+))?/.exec(line)
    const isFull = planned !== undefined && points >= planned
    const isFirst = point !== null && points > 0 && (point[1] === undefined ? isFull : point[1] === '1')
    const isNext = version
      ? isVersioned || points > 0 || planned !== undefined
      : isFirst || (plan !== null && planned !== undefined)
    if (isNext) {
      streams.push([])
      points = 0
      planned = undefined
    }
    if (isNext || version) isVersioned = version
    if (plan !== null) planned = Number(plan[1])
    if (point !== null) points += 1
    streams.at(-1)?.push(line)
  }
  return streams.map((lines) => lines.join('\n'))
}

/** Reads TAP 12 to 14. `# TODO` is skipped. Missing plan or points, or a bail-out, add an errored test. */
function readStream(text: string, folder: string): Reading {
  if (!looksLikeTap.test(text)) return unreadable('it is no TAP')
  const tests: TestResult[] = []
  const parser = new Parser()
  listen(parser, [], tests, folder)
  parser.end(text)
  return readingOf('tap', tests)
}

const looksLikeTap = /^(?:TAP version \d+|1\.\.\d+|(?:not )?ok\b)/m

/** @param path names of outer tests @param tests receives the points */
function listen(parser: Parser, path: readonly string[], tests: TestResult[], folder: string): void {
  let inner: TestResult[] | undefined
  parser.on('child', (child: Parser) => {
    inner = []
    listen(child, [...path, child.name], inner, folder)
  })
  parser.on('assert', (result: Result) => {
    const children = inner
    inner = undefined
    tests.push(...pointOf(result, children ?? [], path, folder))
  })
  parser.on('bailout', (reason: string) => {
    if (path.length === 0)
      tests.push({ name: nameOf('bailed out', reason), status: 'errored', isTest: false })
  })
  parser.on('complete', ({ failures }: { failures: readonly object[] }) => {
    const problems = failures.filter((failure) => 'tapError' in failure && !('name' in failure))
    for (const problem of problems)
      tests.push({ name: nameOf(...path, problemIn(problem)), status: 'errored', isTest: false })
  })
}

function problemIn(failure: object): string {
  return 'tapError' in failure && typeof failure.tapError === 'string' ? failure.tapError : 'not as planned'
}

function pointOf(
  result: Result,
  children: readonly TestResult[],
  path: readonly string[],
  folder: string,
): readonly TestResult[] {
  const said = resultOf(result, path, folder)
  if (children.length === 0) return isFileOfNodeTest(result) && said.status === 'passed' ? [] : [said]
  const isExplained = result.ok || children.some(isRed)
  return isExplained ? children : [...children, said]
}

/** node:test reports a file without tests as a passing test. */
function isFileOfNodeTest({ name, diag }: Result): boolean {
  const isNodeTest = diagnosis.safeParse(diag).data?.type === 'test'
  return isNodeTest && /\.[cm]?[jt]sx?$/.test(name)
}

function resultOf(result: Result, path: readonly string[], folder: string): TestResult {
  const said = diagnosis.safeParse(result.diag).data
  const place = /^(.*?):(\d+)(?::\d+)?$/.exec(said?.location ?? '')
  const message = said?.error ?? said?.message
  const status = statusOf(result)
  return {
    name: nameOf(...path, result.name),
    status,
    ...(status === 'errored' ? { isTest: false as const } : {}),
    ...(place?.[1] === undefined ? {} : { file: relativeTo(folder, place[1]) }),
    ...(place === null || Number(place[2]) < 1 ? {} : { line: Number(place[2]) }),
    ...(status === 'passed' || message === undefined ? {} : { message }),
  }
}

function statusOf(result: Result): TestResult['status'] {
  if (result.skip !== false || result.todo !== false) return 'skipped'
  if (result.ok) return 'passed'
  return isFileOfNodeTest(result) ? 'errored' : 'failed'
}
