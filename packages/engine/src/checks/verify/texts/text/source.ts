import { UsageError } from '../../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { VerifierDescription } from '@donecheck/core/settings'
import type { VerifierInputs } from '../../../../ports/checks.ts'
import { relativePath } from '../../work-tree/files/relative-path.ts'
import { showValue } from '../../reports/show-value.ts'

/** Where a check finds what it checks. */
export type TextSource =
  /** The latest text of the drive. */
  | { readonly answer: true }
  /** A file of the work folder: its path relative to it. UTF-8, at most 10 MiB. */
  | { readonly file: string }
  /** Whatever the function gives, or a promise of it. A check of this is never remembered. */
  | { readonly value: () => unknown }

/** @throws {UsageError} for a source that is none, or a path that leads out of the work folder */
export function sourceOf(source: TextSource = { answer: true }): TextSource {
  const given: unknown = source
  if (typeof given === 'object' && given !== null && Object.keys(given).length === 1) {
    if ('answer' in source) return source
    if ('file' in source) return { file: relativePath(source.file) }
    if (typeof source.value === 'function') return source
  }
  throw new UsageError(
    `source is ${showValue(given)}; give { answer: true }, { file: 'path/in/the/work/folder' } or { value: () => … }`,
  )
}

/** What stands in a verifier's description. A function may read anything: it is asked with the work tree. */
export function readsOf(source: TextSource): VerifierDescription['reads'] {
  return 'answer' in source ? 'answer' : 'workspace'
}

/** For names and reasons. */
export function showSource(source: TextSource): string {
  if ('answer' in source) return 'the answer'
  return 'file' in source ? source.file : 'the value'
}

/**
 * What the verdict depends on; undefined where that cannot be said.
 * @param definition undefined: it holds a function of the user
 */
export function inputsOf(source: TextSource, definition: JsonValue | undefined): VerifierInputs | undefined {
  if (definition === undefined || 'value' in source) return undefined
  return {
    definition,
    environmentDigest: undefined,
    readsAnswer: 'answer' in source,
    files: 'file' in source ? [globOf(source.file)] : [],
  }
}

/** A glob that means this path; where it has characters that globs have a use for, others of the same length too. */
export function globOf(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|]/g, '?')
}
