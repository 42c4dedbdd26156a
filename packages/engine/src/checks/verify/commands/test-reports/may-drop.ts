import picomatch from 'picomatch'
import type { TestResult } from './report.ts'

/** Whether a test may vanish: globs over its file, or over its name. */
export function mayDropBy(globs: readonly string[]): (test: Pick<TestResult, 'name' | 'file'>) => boolean {
  const isFile = picomatch([...globs], { dot: true })
  const isName = picomatch([...globs], { dot: true, bash: true })
  return ({ name, file }) => isName(name) || (file !== undefined && isFile(file))
}
