/** What whoever installs hooks should know about where their parts lie. */
import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { SettingsScope } from '../../agents/index.ts'
import type { Config } from '../../config/index.ts'
import { isInside } from '../../store/index.ts'

export interface Installation {
  readonly config: Config
  readonly workFolder: string
  readonly scope: SettingsScope
  /** Of this installation. */
  readonly program: string
}

export function warningsOf({ config, workFolder, scope, program }: Installation): readonly string[] {
  const inTree = [
    ...new Set(
      [...(config.until ?? []), ...(config.heldOut ?? [])].flatMap(({ command }) =>
        filesIn(command, workFolder),
      ),
    ),
  ]
  return [
    ...(inTree.length === 0
      ? []
      : [
          `the agent can write to what is run to check it: ${inTree.join(', ')}. Changes are found (and nothing counts as verified over them); a check outside of the project cannot be changed at all`,
        ]),
    ...(isInside(program, workFolder)
      ? [`donecheck itself lies in the project (${program}), where the agent can write; install it elsewhere`]
      : []),
    ...(scope === 'project'
      ? ['the settings lie in the project, where a command of the agent can write; those of the user do not']
      : []),
  ]
}

/** Words of a line that name a file of the project, and the manifest behind a package manager. */
function filesIn(line: string, workFolder: string): readonly string[] {
  const words = line.split(/[\s'"`;&|()<>=]+/).filter((word) => word !== '' && !word.startsWith('-'))
  const named = words.filter((word) => {
    const path = resolve(workFolder, word)
    const way = relative(workFolder, path)
    return way !== '' && !way.startsWith('..') && !isAbsolute(way) && existsSync(path) && /[./]/.test(word)
  })
  const isManaged = ['npm', 'pnpm', 'yarn', 'bun'].includes(words[0] ?? '')
  return isManaged && existsSync(resolve(workFolder, 'package.json')) ? [...named, 'package.json'] : named
}
