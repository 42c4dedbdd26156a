import { lstatSync, realpathSync, statSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { bytePathOf, textOf } from '../byte-path.ts'
import { placeOf, runGit } from '../run-git.ts'
import { installed } from './dependencies.ts'

interface IgnoredRequest {
  /** The work folder. */
  readonly original: string
  /** The copy of it. */
  readonly folder: string
  /** Files, and folders that are ignored as a whole, relative to the work folder. */
  readonly isWanted: (path: string) => boolean
  readonly signal: AbortSignal
}

const listing = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']

/** Links what git ignores and is not installed: settings of this machine, data, what was built. Nothing without git. */
export async function linkIgnored({ original, folder, isWanted, signal }: IgnoredRequest): Promise<void> {
  const place = await placeOf(original)
  if (place === undefined) return
  const listed = await runGit(place, listing, signal)
  signal.throwIfAborted()
  if (listed.exitCode !== 0) return
  for (const entry of bytePathOf(listed.stdout).split('\0')) {
    const path = textOf(entry.replace(/\/$/, ''))
    if (path === '' || installed.includes(basename(path)) || !isWanted(path)) continue
    const to = join(folder, path)
    const isPossible = isFolder(dirname(to)) && lstatSync(to, { throwIfNoEntry: false }) === undefined
    if (isPossible && lstatSync(join(original, path), { throwIfNoEntry: false })?.isSymbolicLink() === false)
      symlinkSync(realpathSync(join(original, path)), to)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
