import { hash } from 'node:crypto'
import {
  inspectChanges,
  type FileVersion,
  type Protection,
  type ProtectOptions,
  type TamperFinding,
  type TamperRule,
} from '../../tamper/index.ts'
import { fileUnder, textOf, type BytePath } from '../byte-path.ts'
import type { ObjectStore } from '../snapshot/object-store.ts'
import { bytesOf, textIn } from '../snapshot/read-content.ts'
import type { LaidFile, LaidFiles } from './agreed-files.ts'
import { stampOf } from '../stamps.ts'

const rules: Readonly<Record<Protection, TamperRule>> = {
  test: 'expectation.changed',
  'test-helper': 'expectation.changed',
  fixture: 'expectation.changed',
  snapshot: 'snapshot.changed',
  'test-config': 'runner.wrapped',
  'check-script': 'check-script.changed',
  manifest: 'check-script.changed',
  'lint-config': 'check-script.changed',
  'type-config': 'check-script.changed',
  ignore: 'scope.narrowed',
  lock: 'runner.replaced',
  extra: 'check-script.changed',
  ci: 'ci.weakened',
  'git-hook': 'git.hooks-changed',
  'donecheck-config': 'config.donecheck-changed',
}

export interface Written {
  readonly findings: readonly TamperFinding[]
  /** Written, and equal again. */
  readonly putBack: readonly string[]
  /** All that was written or replaced, equal or not. */
  readonly paths: readonly BytePath[]
}

/**
 * What became of agreed files while the checks ran. A recorded result may be added to by the runner, so its content is
 * compared by the usual rules.
 * @throws the system's error for a file that cannot be looked at, `SnapshotError` for one that cannot be read
 */
export function writtenFiles(
  { folder, isCopy, files }: LaidFiles,
  objects: ObjectStore,
  protect: ProtectOptions,
  known: ReadonlySet<BytePath>,
): Written {
  const [findings, putBack, paths]: [TamperFinding[], string[], BytePath[]] = [[], [], []]
  for (const file of files) {
    const { path } = file.entry
    const stamp = stampOf(fileUnder(folder, path))
    const isStill = stamp === file.stamp
    if (isStill && (!isCopy || file.digest === null)) continue
    if (!isStill) paths.push(path)
    if (known.has(path)) continue
    const found = stamp === undefined ? 'gone' : contentOf(folder, file)
    if (found === 'equal') putBack.push(...(isStill ? [] : [textOf(path)]))
    else if (found === 'gone') findings.push(findingOf(file, 'was removed while the checks ran'))
    else if (file.protection === 'snapshot') findings.push(...recorded(file, found, objects, protect))
    else findings.push(findingOf(file, 'was written while the checks ran'))
  }
  return { findings, putBack, paths }
}

function contentOf(folder: string, { entry, digest }: LaidFile): 'equal' | Buffer {
  const content = bytesOf(folder, entry)
  return digest !== null && hash('sha256', content) === digest ? 'equal' : content
}

function findingOf({ protection, entry }: LaidFile, words: string): TamperFinding {
  const path = textOf(entry.path)
  const rule = words.includes('removed') && protection === 'test' ? 'test.deleted' : rules[protection]
  return { rule, path, message: `${path} ${words}` }
}

function recorded(
  file: LaidFile,
  content: Buffer,
  objects: ObjectStore,
  protect: ProtectOptions,
): readonly TamperFinding[] {
  const { entry } = file
  if (entry.kind === 'symlink' || !entry.isKept) return [findingOf(file, 'was written while the checks ran')]
  const version = (digest: string, bytes: Buffer): FileVersion => ({
    kind: 'file',
    digest,
    mode: entry.mode & 0o777,
    text: textIn(bytes),
  })
  const before = version(entry.digest, objects.get(entry.digest))
  const after = version(hash('sha256', content), content)
  return inspectChanges([{ path: textOf(entry.path), before, after }], protect)
    .filter(({ atMost }) => atMost === undefined)
    .map((finding) => ({ ...finding, message: `${finding.message}, while the checks ran` }))
}
