import { lstatSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { bytePathOf, textOf } from '../byte-path.ts'
import { placeOf, runGit } from '../run-git.ts'
import { copyBuilt } from './copy-built.ts'
import { installed } from './dependencies.ts'

interface IgnoredRequest {
  /** The work folder. */
  readonly original: string
  /** The copy of it. */
  readonly folder: string
  /** Asked of files and folders, and of what is in them; relative to the work folder. */
  readonly isWanted: (path: string) => boolean
  readonly signal: AbortSignal
}

const listing = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory']

/** Copies what git ignores and is not installed: settings of this machine, data, what was built. Nothing without git. */
export async function bringIgnored({ original, folder, isWanted, signal }: IgnoredRequest): Promise<void> {
  const place = await placeOf(original)
  if (place === undefined) return
  const listed = await runGit(place, listing, signal)
  signal.throwIfAborted()
  if (listed.exitCode !== 0) return
  for (const entry of bytePathOf(listed.stdout).split('\0')) {
    const path = textOf(entry.replace(/\/$/, ''))
    if (path === '' || installed.includes(basename(path)) || !isWanted(path)) continue
    const [from, to] = [join(original, path), join(folder, path)]
    if (!isFolder(dirname(to)) || lstatSync(from, { throwIfNoEntry: false })?.isSymbolicLink() !== false)
      continue
    const real = realpathSync(from)
    await copyBuilt(real, to, (inner) => isWanted(join(path, relative(real, inner))), signal)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
