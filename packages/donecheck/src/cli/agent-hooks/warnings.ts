/** What whoever installs hooks should know about where their parts lie. */
import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { SettingsScope } from '../../agents/index.ts'
import type { Config } from '../../config/index.ts'
import { isInside } from '../../store/index.ts'

export interface Installation {
  readonly config: Config
  /** That the checks of one turn may take. */
  readonly timeoutSeconds: number
  readonly workFolder: string
  readonly scope: SettingsScope
  /** Of this installation. */
  readonly program: string
}

export function warningsOf(installation: Installation): readonly string[] {
  const { config, workFolder, scope, program } = installation
  const inTree = [
    ...new Set(
      [...(config.until ?? []), ...(config.heldOut ?? [])].flatMap(({ command }) =>
        filesIn(command, workFolder),
      ),
    ),
  ]
  return [
    ...idleCaps(config),
    ...tooLong(installation),
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

/** An agent tells its hooks neither tokens nor cost. */
function idleCaps(config: Config): readonly string[] {
  const { maxTokens, maxUncachedInputTokens, maxCachedInputTokens, maxTotalOutputTokens } = config
  const bounds = {
    ...{ maxTokens, maxUncachedInputTokens, maxCachedInputTokens, maxTotalOutputTokens },
    maxReasoningTokens: config.maxReasoningTokens,
    maxCostUsd: config.maxCostUsd,
  }
  const idle = Object.entries(bounds).filter(([, bound]) => typeof bound === 'number')
  if (idle.length === 0) return []
  return [
    `${idle.map(([name]) => name).join(' and ')} cannot be kept by hooks, which are told neither tokens nor cost: drive the agent with donecheck run --agent for that`,
  ]
}

/** Such a check ends with the time of the hook, as one that could not decide. */
function tooLong({ config, timeoutSeconds }: Installation): readonly string[] {
  const longest = Math.max(
    config.verifyTimeoutSeconds ?? 0,
    ...[...(config.until ?? []), ...(config.heldOut ?? [])].map((check) => check.timeoutSeconds ?? 0),
  )
  return longest < timeoutSeconds
    ? []
    : [
        `a check may take ${longest} s, and all checks of a turn together ${timeoutSeconds} s: raise --hook-timeout, or a slow check will never decide`,
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
