/** Rule files that are named for this run. */
import { resolve } from 'node:path'
import type { RuleFileLocation, RuleProblem } from '@donecheck/engine/gate'
import type { CliIo } from '../../process/io.ts'

export function namedRules(
  files: readonly string[],
  { currentFolder }: Pick<CliIo, 'currentFolder'>,
): readonly RuleFileLocation[] {
  return files.map((file) => ({ layer: 'run', path: resolve(currentFolder, file) }))
}

/** Such as `agent.rules:3: …`. */
export function problemLine({ file, line, problem }: RuleProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${problem}`
}
