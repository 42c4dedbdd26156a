/** Whether a check noticed that its own comparisons were made false. Pure. */
import type { CertainTest } from './falsify/file.ts'

interface ReportedTest {
  readonly name: string
  readonly file?: string | undefined
  readonly status: string
}

type ReportedTests = readonly ReportedTest[] | undefined

export interface FalsifiedTest extends CertainTest {
  /** Of its file, relative to the folder of the check. */
  readonly path: string
}

export type FalsifiedJudgement =
  | { readonly kind: 'red' }
  /** A test that had to be red was green. The reason ends a sentence. */
  | { readonly kind: 'green'; readonly reason: string }
  /** Nothing says that a false comparison was run at all. */
  | { readonly kind: 'unknown' }

/**
 * @param certain tests that run a false comparison if they are run
 * @param before what a report says of the same tests without false comparisons; undefined: it names none
 * @param after the same of the run with false comparisons
 */
export function judgeFalsified(
  certain: readonly FalsifiedTest[],
  isGreen: boolean,
  before: ReportedTests,
  after: ReportedTests,
): FalsifiedJudgement {
  if (isGreen) {
    const isNamed = before !== undefined && before.length > 0
    const ran = isNamed
      ? certain.find((test) => before.some((one) => one.status !== 'skipped' && isOf(one, test)))
      : certain[0]
    return ran === undefined ? { kind: 'unknown' } : { kind: 'green', reason: staysGreen(ran) }
  }
  const titled = certain.filter((test) => test.title !== undefined)
  const green = titled.find((test) => after?.some((one) => one.status === 'passed' && isOf(one, test)))
  return green === undefined ? { kind: 'red' } : { kind: 'green', reason: staysGreen(green) }
}

/** How many of these tests are red by a report. */
export function countRed(certain: readonly FalsifiedTest[], after: ReportedTests): number {
  const red = (after ?? []).filter(({ status }) => status === 'failed' || status === 'errored')
  return certain.filter((test) => red.some((one) => isOf(one, test))).length
}

function staysGreen({ path, title }: FalsifiedTest): string {
  const what = title === undefined ? `the lines of ${path}` : `the lines of "${title}" in ${path}`
  return `it stays green when ${what} expect other values`
}

function isOf({ name, file }: ReportedTest, { title, path }: FalsifiedTest): boolean {
  if (!isInFile(name, file, path)) return false
  if (title === undefined) return true
  const own = path.endsWith('.py') ? name.replace(/\[.*\]$/su, '') : name
  // RSpec tells the names of groups and examples as one.
  const separators = path.endsWith('.rb') ? [' > ', ' '] : [' > ']
  return own === title || separators.some((separator) => own.endsWith(separator + title))
}

function isInFile(name: string, file: string | undefined, path: string): boolean {
  if (file !== undefined) return file.replace(/^\.\//u, '') === path
  const [first = ''] = name.split(' > ', 1)
  if (path.endsWith('.py')) {
    const module = path.slice(0, -'.py'.length).replaceAll('/', '.')
    return first === module || first.startsWith(`${module}.`)
  }
  if (path.endsWith('.go')) {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    return folder === '' || first.endsWith(`/${folder}`)
  }
  return first !== '' && (first === path || path.endsWith(`/${first}`))
}
