import { resolve } from 'node:path'
import { configFromEnvironment, configFromFile, parseConfig, type Config } from '../config/index.ts'
import type { CliIo } from './io.ts'
import { configFromFlags, type RunFlags } from './options.ts'

export interface Settings {
  readonly workFolder: string
  readonly config: Config
}

/** Flags over environment over file. */
export async function settingsOf(flags: RunFlags, io: CliIo): Promise<Settings> {
  const typed = parseConfig(configFromFlags(flags), 'flags')
  const environment = configFromEnvironment(io.environment)
  const workFolder = workFolderOf({ ...environment, ...typed }, io)
  const file = await configFromFile(workFolder, flags.config)
  return { workFolder, config: { ...file, ...environment, ...typed } }
}

export function workFolderOf(flags: { readonly workdir?: string | undefined }, io: CliIo): string {
  return resolve(io.currentFolder, flags.workdir ?? '.')
}
