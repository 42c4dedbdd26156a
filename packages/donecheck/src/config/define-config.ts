import type { DonecheckConfig } from './schema.ts'

/** For `donecheck.config.ts`: gives the editor the keys and their types, and returns what it is given. */
export function defineConfig(config: DonecheckConfig): DonecheckConfig {
  return config
}
