import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'
import {
  nameOf,
  readingOf,
  relativeTo,
  unreadable,
  lineIn,
  isRed,
  type Reading,
  type TestResult,
} from '../report.ts'
import { messageOf, given } from '../../../../../base/index.ts'

const attribute = z.string().optional()
const word = z.union([
  z.string(),
  z.looseObject({ '@type': attribute, '@message': attribute, '#text': attribute }),
])

const junitCase = z.looseObject({
  '@name': attribute,
  '@classname': attribute,
  '@file': attribute,
  '@line': attribute,
  failure: z.array(word).optional(),
  error: z.array(word).optional(),
  skipped: z.array(word).optional(),
  warning: z.array(word).optional(),
})

type JunitCase = z.infer<typeof junitCase>

/** The parser gives an empty text for an element without attributes and content. */
const emptyElement = z.string().transform((): '' => '')

const junitSuite = z.looseObject({
  '@name': attribute,
  '@file': attribute,
  '@tests': attribute,
  '@failures': attribute,
  '@errors': attribute,
  testcase: z.array(junitCase).optional(),
  get testsuite() {
    return z.array(z.union([emptyElement, junitSuite])).optional()
  },
})

type JunitSuite = z.infer<typeof junitSuite>

const suites = z.array(z.union([emptyElement, junitSuite])).optional()
const root = z.looseObject({ testsuites: suites, testsuite: suites })

const lists = new Set(['testsuites', 'testsuite', 'testcase', 'failure', 'error', 'skipped', 'warning'])

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  // Decodes the five standard ones only: the parser's limits would refuse a long report.
  processEntities: false,
  attributeValueProcessor: (_, value) => decodeEntities(value),
  tagValueProcessor: (_, value) => decodeEntities(value),
  isArray: (tag) => lists.has(tag),
})

/** Reads JUnit XML of all common runners. Refuses document types: entities can stand for anything. */
export function readJunit(text: string, folder: string): Reading {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return unreadable('it declares a document type or entities')
  try {
    // The parser accepts broken XML.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- its successor is another package, for this line alone
    const valid = XMLValidator.validate(text)
    if (valid !== true) return unreadable(`it is no well-formed XML: ${valid.err.msg}`)
    return readDocument(parser.parse(text), folder)
  } catch (error) {
    // Such as nesting that overflows the stack.
    return unreadable(`it is no XML that can be read: ${messageOf(error)}`)
  }
}

function readDocument(document: unknown, folder: string): Reading {
  const parsed = root.safeParse(document)
  if (!parsed.success) return unreadable('it is no JUnit XML')
  const { testsuites, testsuite } = parsed.data
  if (testsuites === undefined && testsuite === undefined) return unreadable('it holds no test suite')
  const outermost = [...(testsuites ?? []), ...(testsuite ?? [])]
  if (outermost.length > 1) return unreadable(`it has ${outermost.length} outermost elements`)
  const roots = outermost.filter((suite) => suite !== '')
  const outside = testsuites === undefined ? [] : undefined
  return whole(
    roots,
    roots.flatMap((suite) => testsOf(suite, outside, folder)),
    roots.map(riskyIn).reduce((sum, risky) => sum + risky, 0),
  )
}

/** Suite totals must not be worse than the listed tests. */
function whole(roots: readonly JunitSuite[], tests: readonly TestResult[], risky: number): Reading {
  const said = roots.map(redSaidBy).reduce((sum, red) => sum + red, 0) - risky
  const listed = tests.filter(isRed).length
  if (tests.length === 0 && roots.some((suite) => countIn(suite['@tests']) > 0))
    return unreadable('it counts tests and lists none')
  const unlisted: TestResult[] =
    said > listed
      ? [{ name: `${said - listed} failures outside of any test`, status: 'errored', isTest: false }]
      : []
  return readingOf('junit', [...tests, ...unlisted])
}

function redSaidBy(suite: JunitSuite): number {
  const own = countIn(suite['@failures']) + countIn(suite['@errors'])
  const inner = suitesIn(suite)
    .map(redSaidBy)
    .reduce((sum, red) => sum + red, 0)
  return Math.max(own, inner)
}

/** PHPUnit counts risky tests as errors, but they have not failed. */
function riskyIn(suite: JunitSuite): number {
  const own = (suite.testcase ?? []).filter(isRisky).length
  return suitesIn(suite)
    .map(riskyIn)
    .reduce((sum, risky) => sum + risky, own)
}

function isRisky({ error, failure }: JunitCase): boolean {
  const isRemark = (one: z.infer<typeof word>) =>
    typeof one !== 'string' && /\bRisky\w*$/.test(one['@type'] ?? '')
  return error !== undefined && failure === undefined && error.every(isRemark)
}

function suitesIn({ testsuite = [] }: JunitSuite): readonly JunitSuite[] {
  return testsuite.filter((suite) => suite !== '')
}

function countIn(text: string | undefined): number {
  const count = Number(text ?? 0)
  return Number.isSafeInteger(count) && count > 0 ? count : 0
}

/** `path`: names of outer suites; undefined at the root, which the runner names. */
function testsOf(suite: JunitSuite, path: readonly string[] | undefined, folder: string): TestResult[] {
  // PHPUnit names the root by its folder.
  const name = relativeTo(folder, suite['@name'] ?? '')
  const inside = path === undefined ? [] : [...path, name]
  const isPytest = name === 'pytest'
  const own = (suite.testcase ?? [])
    .filter((test) => !isFile(test) || statusOf(test) !== 'passed')
    .map((test) => resultOf(test, inside, suite['@file'], isPytest, folder))
  return [...own, ...suitesIn(suite).flatMap((inner) => testsOf(inner, inside, folder))]
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

const scriptName = /\.[cm]?[jt]sx?$/

/** node:test reports a file without tests as a test; so does Vitest for a file that fails to load. */
function isFile(test: JunitCase): boolean {
  const name = test['@name'] ?? ''
  if (!scriptName.test(name)) return false
  return (
    test['@classname'] === name || (test['@classname'] === 'test' && (test['@file']?.endsWith(name) ?? true))
  )
}

function resultOf(
  test: JunitCase,
  path: readonly string[],
  suiteFile: string | undefined,
  isPytest: boolean,
  folder: string,
): TestResult {
  const group = test['@classname'] ?? ''
  const file = test['@file'] ?? suiteFile ?? (scriptName.test(group) ? group : '')
  const line = lineOf(test, isPytest, file)
  const words = redPartsOf(test)
    .map(messageIn)
    .find((text) => text !== '')
  return {
    name: nameIn(test, path, file),
    status: statusOf(test),
    ...(isFile(test) || (isPytest && group === '') ? { isTest: false as const } : {}),
    ...(file === '' ? {} : { file: relativeTo(folder, file) }),
    ...given({ line, message: words }),
  }
}

/** Drops class names that repeat the file, and the suite `pytest`. */
function nameIn(test: JunitCase, path: readonly string[], file: string): string {
  const title = test['@name'] ?? ''
  const group = test['@classname'] ?? ''
  const suites = group === '' || group === 'test' || path.length > 1 ? path : [group]
  const [only] = suites
  const saysNothing = suites.length === 1 && (only === file || only === title || only === 'pytest')
  return saysNothing ? nameOf(title) : nameOf(...suites, title)
}

/** pytest counts lines from 0; others may give the line only in a stack trace. */
function lineOf(test: JunitCase, isPytest: boolean, file: string): number | undefined {
  if (test['@line'] !== undefined) {
    const line = countIn(test['@line']) + (isPytest ? 1 : 0)
    return line > 0 ? line : undefined
  }
  const traces = redPartsOf(test).map((part) => (typeof part === 'string' ? part : (part['#text'] ?? '')))
  return file === ''
    ? undefined
    : traces.map((trace) => lineIn(trace, file)).find((line) => line !== undefined)
}

function redPartsOf(test: JunitCase): readonly z.infer<typeof word>[] {
  return isRisky(test) ? [] : (test.failure ?? test.error ?? [])
}

function statusOf(test: JunitCase): TestResult['status'] {
  const { failure, error, skipped, warning } = test
  if (isRisky(test)) return 'passed'
  if (error !== undefined) return 'errored'
  if (failure !== undefined) return isFile(test) ? 'errored' : 'failed'
  // PHPUnit warns instead of listing a missing test.
  return skipped === undefined && warning === undefined ? 'passed' : 'skipped'
}

function messageIn(element: z.infer<typeof word>): string {
  if (typeof element === 'string') return element.trim()
  return (element['@message'] ?? element['#text'] ?? '').trim()
}
