/** Checks that prove nothing, whatever they find: whoever pins one would be held by it for no reason, and then allowed to stop. */
import type { Config } from '../../../config/index.ts'
import { exitCodeOf } from '@donecheck/engine/verify'

interface VacuousCheck {
  readonly line: string
  /** With the way out. */
  readonly problem: string
  /** The line itself hides it, not a script that it leads to, which may be fixed in the course of the work. */
  readonly isInLine: boolean
}

/** Those that are certain to end with success; what is only suspected is settled when they are run. */
export function vacuousChecks(
  { until = [], heldOut = [] }: Config,
  workFolder: string,
): readonly VacuousCheck[] {
  return [...until, ...heldOut].flatMap(({ command: line }) => {
    const exitCode = exitCodeOf(line, workFolder)
    if (exitCode.kind !== 'certain') return []
    const where = exitCode.where === undefined ? '' : ` (${exitCode.where})`
    const problem = `"${line}" proves nothing, whatever it finds: ${exitCode.reason}${where}; use a command that ends with the check's own exit code`
    return [{ line, problem, isInLine: exitCode.where === undefined }]
  })
}
