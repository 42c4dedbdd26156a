import { basename } from 'node:path'
import type { FileChange } from '../../tamper/index.ts'
import { textOf } from '../byte-path.ts'
import type { TreeEntries } from '../read-tree.ts'
import { installedPackage } from './package-version.ts'

/** They name every installed package with its version. */
const lockFile =
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Pipfile\.lock|pdm\.lock)$/
/** They name what was asked for. */
const listFile = /^(package\.json|pyproject\.toml|requirements.*\.txt)$/

/**
 * Whether an installed package, or the one behind a program, came with the lock file: its name and version stand there
 * now, and did not before. Where there is no lock file, what was asked for must be something else now.
 */
export function updatesIn(
  workFolder: string,
  changes: readonly FileChange[],
  tree: TreeEntries,
): (path: string) => boolean {
  const hasLock = [...tree.keys()].some((path) => lockFile.test(basename(textOf(path))))
  const pattern = hasLock ? lockFile : listFile
  const changed = changes.filter(({ path, after }) => pattern.test(basename(path)) && after !== null)
  if (changed.length === 0) return () => false
  return (path) => {
    const found = installedPackage(workFolder, path)
    if (found === undefined) return false
    const entry = hasLock ? entryOf(found.name, found.version) : undefined
    return changed.some(({ before, after }) => {
      // A lock file that was no text, or a very long one, tells nobody what it names.
      if (before?.text === null) return true
      const [then, now] = [before?.text ?? '', after?.text ?? '']
      if (entry !== undefined) return entry.test(now) && !entry.test(then)
      return isOtherList(then, now)
    })
  }
}

/** A name, and not far behind it the version. */
function entryOf(name: string, version: string): RegExp {
  const [plainName, plainVersion] = [name, version].map((text) => text.replaceAll(/[^\w]/g, '\\$&'))
  const asWritten = plainName?.replaceAll(/\\[-.]|_/g, '[-_.]') ?? ''
  return new RegExp(
    `(?<![\\w-])${asWritten}(?![\\w-])[^\\n]*\\n?[^\\n]{0,200}?(?<![\\w.])${plainVersion}(?![\\w.-])`,
    'i',
  )
}

function isOtherList(then: string, now: string): boolean {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.replace(/(^|\s)#.*$/, '').replaceAll(/[\s,]+/g, ''))
      .filter((line) => line !== '')
      .sort()
      .join('\n')
  return lines(then) !== lines(now)
}
