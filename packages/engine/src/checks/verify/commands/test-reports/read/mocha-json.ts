import { z } from 'zod'
import { readingOf, relativeTo, unreadable, type Reading, type TestResult, lineIn, isRed } from '../report.ts'

const test = z.looseObject({
  fullTitle: z.string(),
  /** Only where our own reporter wrote it. */
  titlePath: z.array(z.string()).optional(),
  file: z.string().nullish(),
  err: z.looseObject({ message: z.string().optional(), stack: z.string().optional() }).optional(),
})

const report = z.looseObject({
  stats: z.looseObject({ tests: z.number(), passes: z.number(), failures: z.number() }),
  passes: z.array(test),
  failures: z.array(test),
  pending: z.array(test),
})

/** Mocha's JSON report. A hook that failed is an errored test: those that it stands before were not run. */
export function readMochaJson(value: unknown, folder: string): Reading {
  const parsed = report.safeParse(value)
  if (!parsed.success) return unreadable('it is no JSON report of Mocha')
  const { passes, failures, pending } = parsed.data
  return readingOf('mocha-json', [
    ...passes.map((one) => resultOf(one, 'passed', folder)),
    ...failures.map((one) => resultOf(one, isHook(one) ? 'errored' : 'failed', folder)),
    ...pending.map((one) => resultOf(one, 'skipped', folder)),
  ])
}

function isHook({ fullTitle }: z.infer<typeof test>): boolean {
  return /"(?:before|after) (?:all|each)" hook/.test(fullTitle)
}

function resultOf(
  { fullTitle, titlePath, file, err }: z.infer<typeof test>,
  status: TestResult['status'],
  folder: string,
): TestResult {
  const line = typeof file === 'string' ? lineIn(err?.stack ?? '', relativeTo(folder, file)) : undefined
  return {
    name: titlePath?.join(' > ') ?? fullTitle,
    status,
    ...(status === 'errored' ? { isTest: false as const } : {}),
    ...(typeof file === 'string' ? { file: relativeTo(folder, file) } : {}),
    ...(isRed({ status }) && line !== undefined ? { line } : {}),
    ...(isRed({ status }) && err?.message !== undefined ? { message: err.message } : {}),
  }
}
