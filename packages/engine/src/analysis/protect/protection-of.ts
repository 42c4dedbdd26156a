import { scriptsNamedIn } from './check-scripts.ts'
import { conventionOf } from './known-paths.ts'
import { matchesAny, mayChange, type ProtectOptions } from './options.ts'
import type { Protection } from './protection.ts'

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
