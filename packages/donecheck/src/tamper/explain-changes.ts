import type { FileChange } from './change.ts'
import { compareFacts } from './compare-facts.ts'
import type { ComparedFile } from './compare/compared-file.ts'
import type { FileFacts } from './facts.ts'
import type { TamperFinding } from './finding.ts'
import { focusedTests } from './focused-tests.ts'
import { kindOf, type ProtectOptions } from '../protect/index.ts'
import { readFacts } from './read-facts.ts'

const nothing: ProtectOptions = { protect: [], mayChange: [], checkCommands: [] }

/**
 * What the syntax rules can say about changed check-side files: tests that are gone, renamed, skipped or focused, and
 * expectations that were removed, weakened or changed. Nothing is decided by it, and silence says nothing. All changes are
 * to be given together: a test that moved is found again only where it went to.
 */
export function explainChanges(changes: readonly FileChange[]): readonly TamperFinding[] {
  const files: ComparedFile[] = []
  const unreadable: TamperFinding[] = []
  for (const change of changes) {
    const read = comparedFile(change)
    if (read === undefined) continue
    if ('rule' in read) unreadable.push(read)
    else files.push(read)
  }
  return [...unreadable, ...compareFacts(files), ...focusedTests(changes)]
}

/** Undefined: there is nothing to compare. */
function comparedFile({ path, before, after }: FileChange): ComparedFile | TamperFinding | undefined {
  if (before?.kind === after?.kind && before?.digest === after?.digest) return undefined
  const then = factsOf(path, before)
  const now = factsOf(path, after)
  if (then === undefined || now === undefined) return undefined
  if (then === null || now === null)
    return {
      rule: 'expectation.changed',
      path,
      message: 'it cannot be read, so it is not compared',
      atMost: 'note',
    }
  const isTest = isRunnable(path) || then.tests.some(({ assertions }) => assertions.length > 0)
  return {
    path,
    before: then,
    after: now,
    beforeText: before?.text ?? '',
    afterText: after?.text ?? '',
    isRun: isTest && !/(?:^|\/)(?:node_modules|\.\w[\w-]*)\//u.test(path),
  }
}

/** A runner finds tests in a file of this name. */
function isRunnable(path: string): boolean {
  return kindOf(path, nothing) === 'test' || /(?:^|\/)tests?\.\w+$/u.test(path)
}

/** Null: it cannot be read; undefined: no reader knows it. */
function factsOf(path: string, version: FileChange['before']): FileFacts | null | undefined {
  if (version?.kind !== 'file') return { tests: [], functions: [] }
  return version.text === null ? null : readFacts(path, version.text)
}
