/** Checks that cannot fail: an agent would be held by one for no reason, and then allowed to stop. */
import type { Config } from '../../../config/index.ts'
import { isSuccessWritten } from '@donecheck/engine/verify'

interface VacuousCheck {
  readonly line: string
  /** With the way out. */
  readonly problem: string
}

/** Those whose line says so; any other is run to know. */
export function vacuousChecks({ until = [], heldOut = [] }: Config): readonly VacuousCheck[] {
  return [...until, ...heldOut]
    .filter(({ command }) => isSuccessWritten(command))
    .map(({ command: line }) => ({
      line,
      problem: `"${line}" proves nothing: it ends with success whatever the work is like; use a command that ends with the check's own exit code`,
    }))
}
