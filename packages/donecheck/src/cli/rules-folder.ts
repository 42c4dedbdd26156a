import { join } from 'node:path'
import type { CliIo } from './io.ts'

/** Where the answers of the user are kept, and rules of his own may stand. */
export function userRulesFolder({
  environment,
  homeFolder,
}: Pick<CliIo, 'environment' | 'homeFolder'>): string {
  const named = environment['XDG_CONFIG_HOME'] ?? ''
  return join(named === '' ? join(homeFolder, '.config') : named, 'donecheck', 'rules')
}
