import type { FileChange } from './change.ts'
import { compareFacts } from './compare-facts.ts'
import type { ComparedFile } from './compare/compared-file.ts'
import { compareConfig } from './config/compare-config.ts'
import { compareRecorded } from './config/recorded.ts'
import type { FileFacts } from './facts.ts'
import type { TamperFinding } from './finding.ts'
import { kindOf, type Protection, type ProtectOptions } from '../protect/index.ts'
import { isShadowing } from './python/shadowing.ts'
import { readFacts } from './read-facts.ts'

/**
 * What the changes of a run did to its checks. All changed files are to be given, sources too: a test that moved is
 * found again only where it went to. Paths that may be changed are looked at as well; `responseTo` makes notes of them.
 */
export function inspectChanges(
  changes: readonly FileChange[],
  options: ProtectOptions,
): readonly TamperFinding[] {
  const files: ComparedFile[] = []
  const found = changes.flatMap((change) => {
    const protection = kindOf(change.path, options)
    const read = comparedFile(change, protection)
    if (read.kind === 'facts') files.push(read.file)
    const own = read.kind === 'unreadable' ? [read.finding] : []
    return [...own, ...wholeFile(change, protection), ...ofConfig(change, protection, changes, options)]
  })
  return withoutRepeats([...compareFacts(files, options), ...found])
}

function withoutRepeats(found: readonly TamperFinding[]): readonly TamperFinding[] {
  const known = new Set<string>()
  return found.filter(({ rule, path, line, message }) => {
    const key = JSON.stringify([rule, path, line, message])
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}

type Compared =
  | { readonly kind: 'facts'; readonly file: ComparedFile }
  | { readonly kind: 'unreadable'; readonly finding: TamperFinding }
  | { readonly kind: 'none' }

const ofTests: readonly (Protection | undefined)[] = [
  'test',
  'extra',
  'test-helper',
  'test-config',
  'check-script',
]

function comparedFile({ path, before, after }: FileChange, protection: Protection | undefined): Compared {
  if (before?.kind === after?.kind && before?.digest === after?.digest) return { kind: 'none' }
  const then = factsOf(path, before)
  const now = factsOf(path, after)
  if (then === undefined && now === undefined) return { kind: 'none' }
  if (typeof then === 'string' || typeof now === 'string') return unreadable(path, protection, then, now)
  const hasTests = protection === 'test' || protection === 'extra' || isInSource(path, then ?? null)
  const file: ComparedFile = {
    path,
    protection,
    before: then ?? null,
    after: now ?? null,
    beforeText: before?.text ?? '',
    afterText: after?.text ?? '',
    isRun: hasTests && !/(?:^|\/)(?:node_modules|dist|build|\.\w[\w-]*)\//u.test(path),
  }
  return { kind: 'facts', file }
}

/** Rust and in-source testing keep tests beside the code; a check may look for them in any file that had them. */
function isInSource(path: string, before: FileFacts | null): boolean {
  return path.endsWith('.rs') || (before?.tests ?? []).some(({ assertions }) => assertions.length > 0)
}

/** A string says why it cannot be read. */
function factsOf(path: string, version: FileChange['before']): FileFacts | string | undefined {
  if (version?.kind !== 'file') return undefined
  if (version.text === null)
    return readFacts(path, '') === undefined ? undefined : 'it is too long or no text'
  const read = readFacts(path, version.text)
  return read?.kind === 'unreadable' ? read.problem : read?.facts
}

function unreadable(
  path: string,
  protection: Protection | undefined,
  then: FileFacts | string | undefined,
  now: FileFacts | string | undefined,
): Compared {
  if (!ofTests.includes(protection) || then === undefined) return { kind: 'none' }
  const problem = typeof now === 'string' ? now : typeof then === 'string' ? then : ''
  // What was readable and is not any more does not run either.
  const rule = typeof now === 'string' && typeof then !== 'string' ? 'test.skipped' : 'expectation.changed'
  return { kind: 'unreadable', finding: { rule, path, message: `it cannot be compared: ${problem}` } }
}

function wholeFile(change: FileChange, protection: Protection | undefined): readonly TamperFinding[] {
  const { path, before, after } = change
  const found: TamperFinding[] = []
  if (before === null && after !== null && isShadowing(path))
    found.push({
      rule: 'runner.replaced',
      path,
      message: 'Python loads it in the place of a module of the runner',
    })
  if (protection === undefined) return found
  if (before !== null && after !== null) {
    const lost = before.mode & 0o111 & ~after.mode
    const isRun =
      protection === 'check-script' || protection === 'git-hook' || before.text?.startsWith('#!') === true
    if (lost !== 0 && before.kind === 'file' && isRun)
      found.push({ rule: 'permissions.changed', path, message: 'it may no longer be executed' })
    if ((after.mode & 0o400) === 0 && (before.mode & 0o400) !== 0)
      found.push({ rule: 'permissions.changed', path, message: 'it may no longer be read' })
    if (before.kind !== after.kind)
      found.push({
        rule: protection === 'test' ? 'test.renamed-away' : 'check-script.changed',
        path,
        message: `it became a ${after.kind}`,
      })
    else if (after.kind === 'symlink' && before.digest !== after.digest)
      found.push({ rule: 'check-script.changed', path, message: 'the link points to something else' })
  }
  if (protection === 'snapshot' || protection === 'fixture')
    found.push(...compareRecorded(change).map((finding) => ({ ...finding, path })))
  return found
}

function ofConfig(
  change: FileChange,
  protection: Protection | undefined,
  changes: readonly FileChange[],
  options: ProtectOptions,
): readonly TamperFinding[] {
  if (protection === undefined) return []
  return compareConfig(change, protection, changes, options).map((finding) => ({
    ...finding,
    path: change.path,
  }))
}
