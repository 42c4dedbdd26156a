import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { resolve, posix, relative, sep } from 'node:path'
import {
  configFromEnvironment,
  configFromFile,
  mergeConfigs,
  parseConfig,
  type Config,
  readCheckFiles,
  configFileNames,
} from '../../config/index.ts'
import { UsageError, given } from '@donecheck/engine/internal/base'
import { type CliIo, resolveWorkFolder } from '../process/io.ts'
import {
  withOpenStore,
  storeFolderOf,
  assertStoreOutside,
  isDatabase,
  type Settings,
} from './store-folder.ts'
import type { RunSummary, Store } from '@donecheck/engine/internal/ports/store'
import { readFile } from 'node:fs/promises'
import { toUsageError } from '../process/failure.ts'
import { createHash } from 'node:crypto'
import { isInside } from '@donecheck/engine/store'
import { askGit } from '../tree/git.ts'
import { configFilesOfRecipe, type ConfigDigests, findSummary, readBaseline } from './recipe.ts'
import { configFromFlags, type RunFlags, type StoreFlags } from '../options/flags.ts'

/** Flags over environment over file. @throws {UsageError} if a baseline is named and the file differs from it */
export async function resolveSettings(flags: RunFlags, io: CliIo): Promise<Settings> {
  const here = settingsWithoutFile(flags, io)
  const { workFolder } = here
  await assertRules(here, flags, io)
  const file = await configFromFile(workFolder, configLocationOf(flags, workFolder, io).named)
  const config = mergeConfigs(file, here.config)
  if (here.config.baseline === undefined) await assertRules({ config, workFolder }, flags, io)
  return { workFolder, config: await withCheckFiles(config, workFolder) }
}

async function assertRules({ config, workFolder }: Settings, flags: RunFlags, io: CliIo): Promise<void> {
  if (config.baseline === undefined || !existsSync(workFolder)) return
  assertStoreOutside({ config, workFolder }, io)
  const { baseline } = config
  await withOpenStore({ config, workFolder }, io, (store) =>
    assertConfigOfBaseline(baseline, configLocationOf(flags, workFolder, io), store),
  )
}

export function configLocationOf(flags: RunFlags, workFolder: string, io: CliIo): ConfigLocation {
  return {
    workFolder,
    named: flags.config === undefined ? undefined : resolve(io.currentFolder, flags.config),
  }
}

/** Flags over environment. Commands that only read records must not read files the agent can write. */
export function settingsWithoutFile(flags: RunFlags, io: CliIo): Settings {
  const config = mergeConfigs(
    configFromEnvironment(io.environment),
    parseConfig(configFromFlags(flags), 'flags'),
  )
  for (const key of ['workdir', 'store'] as const)
    if (config[key] === '') throw new UsageError(`--${key} is empty; name a folder, or leave it out`)
  return { config, workFolder: resolve(io.currentFolder, config.workdir ?? '.') }
}

export async function withStore<Value>(
  { store: named, workdir }: StoreFlags,
  io: CliIo,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const settings = settingsWithoutFile(given({ store: named, workdir }), io)
  const { config, workFolder } = settings
  // The record of a deleted folder can still be read; one for a wrong folder must not be created.
  const isThere = isDatabase(config.store) || existsSync(storeFolderOf(config.store, workFolder, io))
  if (workdir !== undefined && !isThere) resolveWorkFolder(workdir, io)
  return withOpenStore(settings, io, work)
}

/** @param wanted an id, a unique prefix, or `last` */
export async function withRun<Value>(
  wanted: string,
  flags: StoreFlags,
  io: CliIo,
  work: (run: RunSummary, store: Store) => Promise<Value>,
): Promise<Value> {
  return withStore(flags, io, async (store) => work(await findSummary(store, wanted), store))
}

/** @throws {UsageError} for a file that cannot be read or parsed */
export async function withCheckFiles(config: Config, workFolder: string): Promise<Config> {
  const { checks } = config
  if (checks === undefined) return config
  const read = (path: string) =>
    readFile(resolve(workFolder, path), 'utf8').catch(
      toUsageError((error) => `a check names ${path}, which cannot be read: ${String(error)}`),
    )
  const contents = await Promise.all(checks.map((check) => readCheckFiles(check, read)))
  return { ...config, ...parseConfig({ checks: contents }, 'checks') }
}

interface ConfigLocation {
  readonly workFolder: string
  readonly named: string | undefined
}

export async function configDigests(place: ConfigLocation): Promise<ConfigDigests> {
  const digests: Record<string, string> = {}
  await visit(place, (path, digest) => {
    if (digest !== undefined) digests[path] = digest
  })
  return digests
}

/** Checks files before an import runs them. @throws {UsageError} if one differs, is new, or is missing */
async function assertConfigOfBaseline(
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

function readConfigFile(file: string) {
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

function importsOf(content: string): readonly string[] {
  const written = /(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"\n]+)['"]/g
  return [...content.matchAll(written)].flatMap(([, path]) => path ?? [])
}

/** Ignores line ending conversions of git. */
function digestOf(content: string): string {
  return createHash('sha256').update(content.replaceAll('\r\n', '\n')).digest('hex')
}
