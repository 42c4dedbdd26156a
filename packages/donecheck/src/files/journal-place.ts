import { isAbsolute, join } from 'node:path'

export interface JournalPlace {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeFolder: string
}

/**
 * Where changes under way are noted when nobody says: `$XDG_STATE_HOME/donecheck/changes`, or the same under `~/.local/state`.
 * One place for all folders, so that whoever looks at a folder finds what was left of it. Nothing is created.
 */
export function defaultJournalFolder({ environment, homeFolder }: JournalPlace): string {
  const configured = environment['XDG_STATE_HOME']
  // The XDG specification ignores a path that is not absolute.
  const isUsable = configured !== undefined && isAbsolute(configured)
  return join(isUsable ? configured : join(homeFolder, '.local', 'state'), 'donecheck', 'changes')
}
