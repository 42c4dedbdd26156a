/** Flags over environment over file; every source has the same keys. */
export { defineConfig } from './define-config.ts'
export { configFromEnvironment } from './environment.ts'
export { configFileNames, configFromFile } from './file.ts'
export { mergeConfigs } from './merge.ts'
export { parseConfig } from './schema.ts'
export type { Config, DonecheckConfig } from './schema.ts'
export type { CheckConfig } from './check-schema.ts'
