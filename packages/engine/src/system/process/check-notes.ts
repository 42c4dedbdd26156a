/** The names of the notes of running checks. A file of its own: a hook that only looks for them loads no more. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** @param stateHome must not be writable for an agent */
export function checkNotesFolder(stateHome: string): string {
  return join(stateHome, 'donecheck', 'running-checks')
}

/** One per running or killed check. Never throws. */
export function listCheckNotes(stateHome: string): readonly string[] {
  try {
    return readdirSync(checkNotesFolder(stateHome)).filter((name) => /^\d+ (?:\d+|-) ./.test(name))
  } catch {
    return []
  }
}
