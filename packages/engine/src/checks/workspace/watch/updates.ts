import { basename } from 'node:path'
import type { FileChange } from '../../../analysis/tamper/index.ts'
import { textOf } from '../tree/byte-path.ts'
import type { TreeEntries } from '../tree/read-tree.ts'
import { isNewInLock, packageNamePattern } from './lock-entries.ts'
import { installedPackage } from './package-version.ts'
import { isKnownRunner } from './runners.ts'

/** They name every installed package with its version. */
const lockFile =
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Pipfile\.lock|pdm\.lock)$/
/** They name what was asked for. */
const listFile = /^(package\.json|pyproject\.toml|requirements.*\.txt)$/

/**
 * Whether an installed package, or the one behind a program, came with the lock file. Where there is none, or one that came
 * with the change, the package itself must be asked for otherwise than before; what runs the checks is then never taken for an
 * update, because a list is soon written and nobody can tell what it brought.
 */
export function updatesIn(
  workFolder: string,
  changes: readonly FileChange[],
  tree: TreeEntries,
): (path: string) => boolean {
  const added = new Set(changes.filter(({ before }) => before === null).map(({ path }) => path))
  const hasLock = [...tree.keys()]
    .map(textOf)
    .some((path) => lockFile.test(basename(path)) && !added.has(path))
  const pattern = hasLock ? lockFile : listFile
  const changed = changes.filter(
    ({ path, before, after }) =>
      pattern.test(basename(path)) && after !== null && !(hasLock && before === null),
  )
  if (changed.length === 0) return () => false
  return (path) => {
    const found = installedPackage(workFolder, path)
    if (found === undefined) return false
    const isRunner = isKnownRunner(found.name) || isKnownRunner(path)
    return changed.some(({ path: file, before, after }) => {
      // A file that was no text, or a very long one, tells nobody what it names.
      if (before?.text === null) return !isRunner
      const [then, now] = [before?.text ?? '', after?.text ?? '']
      return hasLock ? isNewInLock(found, then, now) : !isRunner && isAskedAnew(file, found.name, then, now)
    })
  }
}

/** Which version of one package a list of what the project wants asks for. */

const keys = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
]

/** Whether this package is asked for otherwise than before; what else the list says does not matter. */
function isAskedAnew(path: string, name: string, then: string, now: string): boolean {
  const earlier = new Set(requestsIn(path, name, then))
  return requestsIn(path, name, now).some((request) => !earlier.has(request))
}

function requestsIn(path: string, name: string, text: string): readonly string[] {
  if (basename(path) === 'package.json') return nodeRequests(name, text)
  const written = `${packageNamePattern(name)}(?:\\s*\\[[^\\]\\n]*\\])?\\s*`
  const patterns = path.endsWith('.toml')
    ? [`["']${written}([<>=!~@(][^"';\\n]*)`, `^\\s*["']?${written}["']?\\s*=([^\\n]+)`]
    : [`^[ \\t]*${written}([<>=!~@(][^;\\n]*)`]
  const plain = text.replaceAll(/(^|\s)#[^\n]*/g, '$1')
  return patterns
    .flatMap((pattern) => [...plain.matchAll(new RegExp(pattern, 'gim'))])
    .map(([, request = '']) => request.replaceAll(/[\s,]+$|\s+/g, ''))
}

function nodeRequests(name: string, text: string): readonly string[] {
  const manifest = objectIn(text)
  return keys.flatMap((key) => {
    const asked: unknown = new Map(Object.entries(manifest)).get(key)
    if (typeof asked !== 'object' || asked === null) return []
    const request: unknown = new Map<string, unknown>(Object.entries(asked)).get(name)
    return typeof request === 'string' ? [request.trim()] : []
  })
}

/** What is no JSON asks for nothing. */
function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
