import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  configFromEnvironment,
  configFromFile,
  mergeConfigs,
  parseConfig,
  type Config,
} from '../../config/index.ts'
import { UsageError, given } from '@donecheck/engine/base'
import { assertConfigOfBaseline, type ConfigLocation } from './config-files.ts'
import type { CliIo } from '../process/io.ts'
import { configFromFlags, type RunFlags, type StoreFlags } from '../options/flags.ts'
import { withCheckFiles } from './check-files.ts'
import { withNamedStore } from './named-store.ts'
import { storeFolderOf, assertStoreOutside, isDatabase } from './store-folder.ts'
import type { Store } from '@donecheck/engine/ports/store'
import { resolveWorkFolder } from './work-folder.ts'

export interface Settings {
  readonly workFolder: string
  readonly config: Config
}

/**
 * Flags over environment over file.
 * @throws {UsageError} where the work is compared with a baseline, and the file is not the baseline's
 */
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
  assertStoreOutside(storeFolderOf(config.store, workFolder, io), workFolder)
  const { baseline } = config
  await withNamedStore(config.store, workFolder, io, (store) =>
    assertConfigOfBaseline(baseline, configLocationOf(flags, workFolder, io), store),
  )
}

/** Where the files are that the configuration is read from. */
export function configLocationOf(flags: RunFlags, workFolder: string, io: CliIo): ConfigLocation {
  return {
    workFolder,
    named: flags.config === undefined ? undefined : resolve(io.currentFolder, flags.config),
  }
}

/** Flags over environment. Whoever only looks at a record, or goes on with one, reads nothing that the agent can write. */
export function settingsWithoutFile(flags: RunFlags, io: CliIo): Settings {
  const config = mergeConfigs(
    configFromEnvironment(io.environment),
    parseConfig(configFromFlags(flags), 'flags'),
  )
  for (const key of ['workdir', 'store'] as const)
    if (config[key] === '') throw new UsageError(`--${key} is empty; name a folder, or leave it out`)
  return { config, workFolder: resolve(io.currentFolder, config.workdir ?? '.') }
}

/** For commands that only look at the record: the store as flags and environment name it, closed afterwards. */
export async function withStore<Value>(
  { store: named, workdir }: StoreFlags,
  io: CliIo,
  work: (store: Store) => Promise<Value>,
): Promise<Value> {
  const { config, workFolder } = settingsWithoutFile(given({ store: named, workdir }), io)
  // The record of a folder that is gone can still be looked at; of one that never was, none is begun.
  const isThere = isDatabase(config.store) || existsSync(storeFolderOf(config.store, workFolder, io))
  if (workdir !== undefined && !isThere) resolveWorkFolder(workdir, io)
  return withNamedStore(config.store, workFolder, io, work)
}
