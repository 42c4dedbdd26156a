import picomatch from 'picomatch'
import { UsageError } from '../../../../base/index.ts'

/**
 * Whether a path is meant by one of the globs: `*` stays within a folder, `**` does not, and names that begin with a dot
 * are names like others. A glob without special characters means that path, and all below it.
 * @param option for messages, such as `only`
 * @throws {UsageError} for a glob that means nothing
 */
export function pathMatcher(option: string, globs: readonly string[]): (path: string) => boolean {
  for (const glob of globs)
    if (typeof glob !== 'string' || glob.trim() === '' || glob.startsWith('/') || glob.startsWith('!'))
      throw new UsageError(
        `${option} has ${JSON.stringify(glob)}; give globs relative to the work folder, such as "src/**"`,
      )
  const plain = globs.map((glob) => glob.replace(/^\.\//u, '').replace(/\/+$/u, ''))
  const isMatch = picomatch(plain, { dot: true, nonegate: true })
  return (path) =>
    plain.some((glob) => path === glob || path.startsWith(`${glob}/`)) || (plain.length > 0 && isMatch(path))
}
