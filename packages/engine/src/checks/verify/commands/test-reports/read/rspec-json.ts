import { z } from 'zod'
import { readingOf, relativeTo, unreadable, type Reading, type TestResult } from '../report.ts'
import { given } from '../../../../../base/index.ts'

const example = z.looseObject({
  full_description: z.string(),
  status: z.string(),
  file_path: z.string(),
  line_number: z.number().int().positive().nullish(),
  exception: z.looseObject({ message: z.string() }).nullish(),
})

const report = z.looseObject({
  examples: z.array(example),
  summary: z.looseObject({ errors_outside_of_examples_count: z.number().int().default(0) }),
})

/** RSpec's JSON report. An example without a status is one in which the process ended. */
export function readRspecJson(value: unknown, folder: string): Reading {
  const parsed = report.safeParse(value)
  if (!parsed.success) return unreadable('it is no JSON report of RSpec')
  const { examples, summary } = parsed.data
  const outside = summary.errors_outside_of_examples_count
  const unlisted: TestResult[] =
    outside === 0
      ? []
      : [{ name: `${outside} errors outside of the examples`, status: 'errored', isTest: false }]
  return readingOf('rspec-json', [...examples.map((one) => resultOf(one, folder)), ...unlisted])
}

function resultOf(one: z.infer<typeof example>, folder: string): TestResult {
  const message = one.exception?.message.trim()
  return {
    name: one.full_description,
    file: relativeTo(folder, one.file_path),
    status: statuses.get(one.status) ?? 'errored',
    ...given({ line: one.line_number ?? undefined, message }),
  }
}

const statuses: ReadonlyMap<string, TestResult['status']> = new Map([
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['pending', 'skipped'],
])
