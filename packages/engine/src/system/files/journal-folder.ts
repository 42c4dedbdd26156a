import { join } from 'node:path'
import { stateHome, type HomeEnvironment } from '../../base/index.ts'

export type JournalContext = HomeEnvironment

/**
 * Where changes under way are noted when nobody says: `donecheck/changes` in the state home. One place for all folders, so
 * that whoever looks at a folder finds what was left of it. Nothing is created.
 */
export function defaultJournalFolder(place: JournalContext): string {
  return join(stateHome(place), 'donecheck', 'changes')
}
