import { join } from 'node:path'
import type { CliIo } from '../../process/io.ts'

/** What it takes to find and to read rules. */
export type RulesContext = Pick<CliIo, 'environment' | 'homeFolder' | 'currentFolder'>

/** Where the answers of the user are kept, and rules of his own may stand. */
export function userRulesFolder({
  environment,
  homeFolder,
}: Pick<RulesContext, 'environment' | 'homeFolder'>): string {
  const named = environment['XDG_CONFIG_HOME'] ?? ''
  return join(named === '' ? join(homeFolder, '.config') : named, 'donecheck', 'rules')
}
