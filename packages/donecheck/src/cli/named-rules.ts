/** Rule files that are named for this run. */
import { resolve } from 'node:path'
import type { RulePlace, RuleProblem } from '../gate/index.ts'
import type { CliIo } from './io.ts'

export function namedRules(files: readonly string[], { currentFolder }: CliIo): readonly RulePlace[] {
  return files.map((file) => ({ layer: 'run', path: resolve(currentFolder, file) }))
}

/** Such as `agent.rules:3: …`. */
export function problemLine({ file, line, problem }: RuleProblem): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${problem}`
}
