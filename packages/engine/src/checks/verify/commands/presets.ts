/**
 * The checks that nearly every project has. Each reads the project's manifests once, to find its own command, then the
 * exit code and output of that command, and says in its evidence what was detected and why. `name` defaults to the
 * check's own. Times are milliseconds. Where nothing is found: `error`, `unverifiable`,
 * and a run does not begin.
 */
import type { Verifier } from '../../../../ports/checks.ts'
import { presetOf, type PresetOptions } from './preset.ts'

/**
 * Proves that the project's tests pass: its exit code, and counts read from the runner's report or words. Without counts
 * nothing is proven (`tests: 'required'`); no executed test, or fewer than on the baseline tree, is `failed`.
 * @throws {UsageError} for an empty line or name, or impossible bounds
 */
export function testsPass(options: PresetOptions = {}): Verifier {
  return presetOf('tests', { tests: 'required', ...options })
}

/**
 * Proves that the project's linter ends with exit code 0; its complaints are not counted, and what it is configured to let pass
 * passes. Another exit code is `failed`; not installed, killed or no end within `timeoutMs`: `error` with `infrastructure`; a
 * script that hides the exit code: `error` with `unverifiable`. The same holds for the two below.
 * @throws {UsageError} for an empty line or name, or impossible bounds
 */
export function lintPass(options: PresetOptions = {}): Verifier {
  return presetOf('lint', { tests: 'off', ...options })
}

/** Proves that the project's type checker, or its compiler, ends with exit code 0 over the files that its configuration names. */
export function typecheckPass(options: PresetOptions = {}): Verifier {
  return presetOf('typecheck', { tests: 'off', ...options })
}

/**
 * Proves that the project's own build ends with exit code 0; what it built is not looked at. It writes into the tree that is
 * checked, so nothing else is checked meanwhile.
 */
export function buildPass(options: PresetOptions = {}): Verifier {
  return presetOf('build', { tests: 'off', exclusive: true, ...options })
}
