import { join, resolve } from 'node:path'
import type { CliIo } from '../../process/io.ts'
import type { RuleFileLocation, RuleProblem } from '@donecheck/engine/gate'

export type RulesContext = Pick<CliIo, 'environment' | 'homeFolder' | 'currentFolder'>

export function userRulesFolder({
  environment,
  homeFolder,
}: Pick<RulesContext, 'environment' | 'homeFolder'>): string {
  const named = environment['XDG_CONFIG_HOME'] ?? ''
  return join(named === '' ? join(homeFolder, '.config') : named, 'donecheck', 'rules')
}

export function namedRules(
  files: readonly string[],
  { currentFolder }: Pick<CliIo, 'currentFolder'>,
): readonly RuleFileLocation[] {
  return files.map((file) => ({ layer: 'run', path: resolve(currentFolder, file) }))
}

export function problemLine({ file, line, problem }: RuleProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${problem}`
}
