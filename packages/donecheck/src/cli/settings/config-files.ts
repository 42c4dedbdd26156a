/** The files that hold the rules, against what the work is compared with: the tree that is judged must not bring its own. */
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { posix, relative, resolve, sep } from 'node:path'
import { configFileNames } from '../../config/index.ts'
import { UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { isInside } from '@donecheck/engine/store'
import { readBaseline } from '../wiring/checks/baseline.ts'
import { askGit } from '../tree/git.ts'
import { configFilesOfRecipe, type ConfigDigests } from './recipe.ts'

export interface ConfigLocation {
  readonly workFolder: string
  /** The file that `--config` names, as an absolute path. */
  readonly named: string | undefined
}

/** As they are now, with what they import from the work folder. */
export async function configDigests(place: ConfigLocation): Promise<ConfigDigests> {
  const digests: Record<string, string> = {}
  await visit(place, (path, digest) => {
    if (digest !== undefined) digests[path] = digest
  })
  return digests
}

/**
 * Nothing of a configuration is believed, or even run, before this: an import is a program. A baseline that cannot be looked
 * at is left to the verification, which then verifies nothing.
 * @throws {UsageError} for the first file that differs from the baseline's, is new, or is gone
 */
export async function assertConfigOfBaseline(
  baselineName: string,
  place: ConfigLocation,
  store: Store,
): Promise<void> {
  if (isElsewhere(place) || !existsSync(place.workFolder)) return
  const earlier = await earlierDigests(baselineName, place.workFolder, store)
  if (earlier === undefined) return
  await visit(place, async (path, digest) => {
    const before = await earlier(path)
    if (digest === before) return
    const what = before === undefined ? 'is not in' : digest === undefined ? 'is gone since' : 'differs from'
    throw new UsageError(
      `${path} ${what} ${baselineName}, with which the work is compared: what is judged must not bring its own rules; put it back, or name a configuration outside of ${place.workFolder} with --config`,
    )
  })
}

/** Then no file of the work folder is read. */
function isElsewhere({ named, workFolder }: ConfigLocation): boolean {
  return named !== undefined && !isInside(named, workFolder)
}

type EarlierDigest = (path: string) => string | undefined | Promise<string | undefined>

async function earlierDigests(
  name: string,
  workFolder: string,
  store: Store,
): Promise<EarlierDigest | undefined> {
  const baseline = await readBaseline(name, store)
  if (baseline.kind === 'none') return undefined
  if (baseline.kind === 'recorded') {
    const [first] = baseline.events
    const digests = configFilesOfRecipe(first?.type === 'run-started' ? first.recipe : null)
    return (path) => digests[path]
  }
  const verify = ['rev-parse', '--verify', '--end-of-options', `${baseline.revision}^{commit}`]
  const commit = (await askGit(workFolder, verify))?.trim()
  if (commit === undefined) return undefined
  return async (path) => {
    const content = await askGit(workFolder, ['cat-file', 'blob', `${commit}:./${path}`])
    return content === undefined ? undefined : digestOf(content)
  }
}

/** Every file that may hold rules, whether it is there or not; what one imports comes after it. */
async function visit(
  place: ConfigLocation,
  look: (path: string, digest: string | undefined) => void | Promise<void>,
): Promise<void> {
  const paths = new Set([...configFileNames, ...namedInside(place)])
  for (const path of paths) {
    const file = readConfigFile(resolve(place.workFolder, path))
    await look(path, file === undefined ? undefined : digestOf(file.content))
    for (const next of file?.leadsTo ?? []) {
      const reached = posix.join(posix.dirname(path), next)
      if (!reached.startsWith('..')) paths.add(reached)
    }
  }
}

function namedInside({ named, workFolder }: ConfigLocation): readonly string[] {
  if (named === undefined || !existsSync(named)) return []
  return [relative(realpathSync(workFolder), realpathSync(named)).split(sep).join('/')]
}

interface ConfigFile {
  /** Of a link its target, as git has it. */
  readonly content: string
  /** Relative to its own folder. */
  readonly leadsTo: readonly string[]
}

function readConfigFile(file: string): ConfigFile | undefined {
  try {
    if (lstatSync(file).isSymbolicLink()) {
      const content = readlinkSync(file)
      return { content, leadsTo: content.startsWith('/') ? [] : [content] }
    }
    const content = readFileSync(file, 'utf8')
    return { content, leadsTo: importsOf(content) }
  } catch {
    return undefined
  }
}

/** Paths that are written out. Asked only of files that were found to be the earlier ones. */
function importsOf(content: string): readonly string[] {
  const written = /(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g
  return [...content.matchAll(written)].flatMap(([, path]) => path ?? [])
}

/** Line ends are left to git. */
function digestOf(content: string): string {
  return createHash('sha256').update(content.replaceAll('\r\n', '\n')).digest('hex')
}
