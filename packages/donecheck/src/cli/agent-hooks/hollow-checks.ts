/** Checks that prove nothing, whatever they find: whoever pins one would be held by it for no reason, and then let go. */
import type { Config } from '../../config/index.ts'
import { maskedExit, maskedExitOf } from '../../verify/index.ts'

export interface HollowCheck {
  readonly line: string
  /** With the way out. */
  readonly problem: string
  /** The line itself hides it, not a script that it leads to, which may be mended in the course of the work. */
  readonly isInLine: boolean
}

export async function hollowChecks(
  { until = [], heldOut = [] }: Config,
  workFolder: string,
): Promise<readonly HollowCheck[]> {
  const found: HollowCheck[] = []
  for (const { command: line } of [...until, ...heldOut]) {
    const masked = await maskedExitOf(line, workFolder)
    if (masked === undefined) continue
    const where = masked.where === undefined ? '' : ` (${masked.where})`
    found.push({
      line,
      problem: `"${line}" proves nothing, whatever it finds: ${masked.reason}${where}; use a command that ends with the check's own exit code`,
      isInLine: maskedExit(line) !== undefined,
    })
  }
  return found
}
