/** Where programs keep what must outlive them and is not configuration (the XDG base directories). */
import { isAbsolute, join } from 'node:path'

export interface HomeEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeFolder: string
}

/** `$XDG_STATE_HOME`, or `~/.local/state`; the specification ignores a path that is not absolute. */
export function stateHome({ environment, homeFolder }: HomeEnvironment): string {
  const configured = environment['XDG_STATE_HOME']
  return configured !== undefined && isAbsolute(configured) ? configured : join(homeFolder, '.local', 'state')
}
