/** The names of the notes of running checks. A file of its own: a hook that only looks for them loads no more. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** @param stateHome where programs keep their state; an agent must not be able to write there */
export function checkNotesFolder(stateHome: string): string {
  return join(stateHome, 'donecheck', 'running-checks')
}

/** One for each check that runs now, and for each that was killed. Never throws. */
export function listCheckNotes(stateHome: string): readonly string[] {
  try {
    return readdirSync(checkNotesFolder(stateHome)).filter((name) => /^\d+ (?:\d+|-) ./.test(name))
  } catch {
    return []
  }
}
