/**
 * The checks that nearly every project has. Each reads the project's manifests once, to find its own command, then the
 * exit code and output of that command, and says in its evidence what was detected and why. `name` defaults to the
 * check's own. Times are milliseconds. Where nothing is found: `error`, `infrastructure`.
 */
import type { Verifier } from '../../ports.ts'
import { presetOf, type PresetOptions } from './preset.ts'

/**
 * Proves that the project's tests pass: its exit code, and counts read from the runner's report or words. Without counts
 * nothing is proven (`tests: 'required'`); no executed test, or fewer than on the untouched tree, is `failed`.
 * @throws {UsageError} for an empty line or name, or impossible bounds
 */
export function testsPass(options: PresetOptions = {}): Verifier {
  return presetOf('tests', { tests: 'required', ...options })
}

/** Proves that the project's linter has nothing to say. @throws {UsageError} as `testsPass` */
export function lintPass(options: PresetOptions = {}): Verifier {
  return presetOf('lint', { tests: 'off', ...options })
}

/** Proves that the project's type checker, or its compiler, has nothing to say. @throws {UsageError} as `testsPass` */
export function typecheckPass(options: PresetOptions = {}): Verifier {
  return presetOf('typecheck', { tests: 'off', ...options })
}

/**
 * Proves that the project can be built. It writes into the tree, so nothing else is checked meanwhile.
 * @throws {UsageError} as `testsPass`
 */
export function buildPass(options: PresetOptions = {}): Verifier {
  return presetOf('build', { tests: 'off', exclusive: true, ...options })
}
