import { z } from 'zod'
import {
  nameOf,
  readingOf,
  relativeTo,
  unreadable,
  type Reading,
  type TestResult,
  lineIn,
  isRed,
} from '../report.ts'
import { given } from '../../../../../base/index.ts'

const assertion = z.looseObject({
  ancestorTitles: z.array(z.string()),
  title: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()).nullish(),
  location: z.looseObject({ line: z.number().int().positive() }).nullish(),
})

const file = z.looseObject({
  name: z.string(),
  status: z.string(),
  message: z.string().nullish(),
  assertionResults: z.array(assertion),
})

const report = z.looseObject({ numTotalTests: z.number(), success: z.boolean(), testResults: z.array(file) })

/** The JSON reports of Vitest and Jest, which have one shape. `format`: as whose report it is shown. */
export function readJestJson(value: unknown, folder: string, format: 'vitest-json' | 'jest-json'): Reading {
  const parsed = report.safeParse(value)
  if (!parsed.success) return unreadable('it is no JSON report of Vitest or Jest')
  const { testResults, success } = parsed.data
  const tests = testResults.flatMap((one) => testsOf(one, folder))
  const unlisted: TestResult[] =
    success || tests.some(isRed) || tests.length === 0
      ? []
      : [{ name: 'a failure outside of any test', status: 'errored', isTest: false }]
  return readingOf(format, [...tests, ...unlisted])
}

function testsOf(
  { name, status, message, assertionResults }: z.infer<typeof file>,
  folder: string,
): TestResult[] {
  const path = relativeTo(folder, name)
  const tests = assertionResults.map((one) => resultOf(one, name, path))
  if (status !== 'failed' || tests.some((test) => test.status === 'failed')) return tests
  return [
    ...tests,
    { name: path, file: path, status: 'errored', isTest: false, ...(message ? { message } : {}) },
  ]
}

function resultOf(one: z.infer<typeof assertion>, file: string, path: string): TestResult {
  const message = one.failureMessages?.[0]
  const line = one.location?.line ?? (message === undefined ? undefined : lineIn(message, file))
  return {
    name: nameOf(...one.ancestorTitles, one.title),
    file: path,
    status: statuses.get(one.status) ?? 'errored',
    ...given({ line, message }),
  }
}

/** A word that we do not know is no pass. */
const statuses: ReadonlyMap<string, TestResult['status']> = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ...['pending', 'skipped', 'todo', 'disabled'].map((word) => [word, 'skipped'] as const),
])
