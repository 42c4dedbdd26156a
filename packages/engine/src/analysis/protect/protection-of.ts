/** What a run protects, and what it gives free. */
import picomatch from 'picomatch'
import { conventionOf, type Protection } from './known-paths.ts'
import { scriptsNamedIn } from './started-files.ts'

export interface ProtectOptions {
  /** Globs relative to the work folder: protected beside what is protected anyway. */
  readonly protect: readonly string[]
  /** Globs relative to the work folder: what the drive may change. Wins over everything else. */
  readonly mayChange: readonly string[]
  /** Command lines of the checks, such as `npm test` or `./check.sh`: the scripts that they name are protected. */
  readonly checkCommands: readonly string[]
  /** More scripts of the checks, by exact path relative to the work folder: what a script reads, or an absolute path names. */
  readonly scripts?: readonly string[]
}

/** Dots count as ordinary characters; `tests/` means everything below it. */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  return globs.some((glob) => picomatch.isMatch(path, glob.endsWith('/') ? `${glob}**` : glob, { dot: true }))
}

/** Whether the drive was given this path. */
export function mayChange(path: string, options: ProtectOptions): boolean {
  return matchesAny(path, options.mayChange)
}

/** Undefined: the drive may do with this path what it wants, by convention or because it was given it. */
export function protectionOf(path: string, options: ProtectOptions): Protection | undefined {
  return mayChange(path, options) ? undefined : kindOf(path, options)
}

/** The same, whether or not the drive was given the path. */
export function kindOf(path: string, options: ProtectOptions): Protection | undefined {
  const isScript = options.scripts?.includes(path) === true || scriptsNamedIn(options.checkCommands).has(path)
  const convention = conventionOf(path)
  if (isScript && (convention === undefined || convention === 'test-helper')) return 'check-script'
  return convention ?? (matchesAny(path, options.protect) ? 'extra' : undefined)
}
