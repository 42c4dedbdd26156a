import type { Script } from './follow/script.ts'
import { deepestLevel, scriptsOf } from './follow/scripts-of.ts'
import { programKind } from './kinds.ts'
import { readShell, type MaskedExit, type ShellReading } from './read-shell.ts'

export { maskedExit, maskedScript } from './read-shell.ts'
export type { MaskedExit } from './read-shell.ts'

/**
 * Whether the exit code of a line hides a failure of what it runs, in the line itself or in the scripts that it leads
 * to: those of package.json, Makefiles and shell scripts, as they are now. Nothing is run. What cannot be read, or leads
 * on through more than five levels, hides it. Never rejects.
 */
export async function maskedExitOf(line: string, folder: string): Promise<MaskedExit | undefined> {
  const reading = readShell(line)
  return reading.masked ?? maskedBehind(reading, folder, { root: folder, level: 1, seen: new Set() })
}

interface Trail {
  readonly root: string
  readonly level: number
  readonly seen: Set<string>
}

async function maskedBehind(
  { invocations }: ShellReading,
  folder: string,
  trail: Trail,
): Promise<MaskedExit | undefined> {
  for (const invocation of invocations)
    for (const script of await scriptsOf(invocation, folder, trail.root)) {
      const masked = await maskedIn(script, trail)
      if (masked !== undefined) return masked
    }
  return undefined
}

async function maskedIn(script: Script, trail: Trail): Promise<MaskedExit | undefined> {
  const { text, where, folder, hidesFailures, unreadable } = script
  const key = JSON.stringify([where, text])
  if (trail.seen.has(key)) return undefined
  trail.seen.add(key)
  if (trail.level > deepestLevel)
    return {
      reason: `its exit code cannot be trusted: scripts call scripts through more than ${deepestLevel} levels`,
      where,
    }
  if (unreadable !== undefined) return { reason: `its exit code cannot be trusted: ${unreadable}`, where }
  const reading = readShell(text, script)
  const hasCheck = reading.invocations.some(({ words }) => programKind(words) === 'check')
  if (hidesFailures !== undefined && hasCheck)
    return { reason: `its exit code hides a failure: ${hidesFailures}`, where }
  if (reading.masked !== undefined) return { ...reading.masked, where }
  return maskedBehind(reading, folder, { ...trail, level: trail.level + 1 })
}
