import { resolve } from 'node:path'
import {
  configFromEnvironment,
  configFromFile,
  mergeConfigs,
  parseConfig,
  type Config,
} from '../config/index.ts'
import { UsageError } from '../errors.ts'
import type { CliIo } from './io.ts'
import { configFromFlags, type RunFlags } from './options.ts'

export interface Settings {
  readonly workFolder: string
  readonly config: Config
}

/** Flags over environment over file. */
export async function settingsOf(flags: RunFlags, io: CliIo): Promise<Settings> {
  const { workFolder, config } = settingsWithoutFile(flags, io)
  const file = await configFromFile(workFolder, flags.config)
  return { workFolder, config: mergeConfigs(file, config) }
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
