/** Tests that leave all the others out. */
import type { FileChange } from './change.ts'
import type { TestFacts } from './facts.ts'
import type { TamperFinding } from './finding.ts'
import { readFacts } from './read-facts.ts'

/** A word that focuses stands in the text: most changed files need not be read. */
const mentions = /\bonly\b|\bf(?:it|test|describe|context|specify|example)\b|\bfocus/u

/** Those that were not focused before. */
export function findFocusedTests(changes: readonly FileChange[]): readonly TamperFinding[] {
  const known = new Set(
    changes.flatMap(({ path, before }) => focusedIn(path, before).map(({ name }) => name)),
  )
  return changes.flatMap(({ path, before, after }) =>
    before?.digest === after?.digest
      ? []
      : focusedIn(path, after)
          .filter(({ name }) => !known.has(name))
          .map(({ name, line }): TamperFinding => ({
            rule: 'test.narrowed',
            path,
            line,
            message: `${name} is focused, so that all others are left out`,
          })),
  )
}

function focusedIn(path: string, version: FileChange['before']): readonly TestFacts[] {
  if (version?.kind !== 'file' || version.text === null || !mentions.test(version.text)) return []
  return readFacts(path, version.text)?.tests.filter(({ isFocused }) => isFocused) ?? []
}
