/** What whoever installs hooks should know about where their parts lie. */
import { existsSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import type { SettingsScope } from '@donecheck/agents/settings'
import type { Config } from '../../../config/index.ts'
import { bounds, capTable } from '@donecheck/core/budgets'
import { packageScriptsNamedIn } from '@donecheck/engine/protect'
import { isInside } from '@donecheck/engine/store'
import { leftOutOf } from '../../wiring/left-out.ts'

interface Installation {
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
  const lines = checksIn(config).map(({ command }) => command)
  const inTree = new Set(lines.flatMap((line) => filesIn(line, workFolder)))
  const warnings = [
    idleCaps(config),
    ...leftOutOf(config),
    longChecks(installation),
    inTree.size > 0 &&
      `the agent can write to ${[...inTree].join(', ')}, on which its check rests: a change is found, and nothing is verified over it`,
    isInside(program, workFolder) &&
      `donecheck itself lies in the project (${program}), where the agent can write; install it elsewhere`,
    scope === 'project' &&
      'the settings lie in the project, where a command of the agent can write; those of the user do not',
  ]
  return warnings.filter((warning) => typeof warning === 'string')
}

function checksIn({ until = [], heldOut = [] }: Config): NonNullable<Config['until']> {
  return [...until, ...heldOut]
}

/** An agent tells its hooks neither tokens nor cost. */
function idleCaps(config: Config): string | false {
  const idle = bounds
    .filter((bound) => ['tokens', 'cost'].includes(capTable[bound].kind))
    .map((bound) => capTable[bound].key)
    .filter((key) => typeof config[key] === 'number')
  return (
    idle.length > 0 &&
    `${idle.join(' and ')} cannot be kept by hooks, which are told neither tokens nor cost: drive the agent with donecheck run --agent for that`
  )
}

/** Such a check ends with the time of the hook, as one that could not decide. */
function longChecks({ config, timeoutSeconds }: Installation): string | false {
  const longest = Math.max(
    config.verifyTimeoutSeconds ?? 0,
    ...checksIn(config).map((check) => check.timeoutSeconds ?? 0),
  )
  return (
    longest >= timeoutSeconds &&
    `a check may take ${longest} s, and all checks of a turn together ${timeoutSeconds} s: raise --hook-timeout, or a slow check will never decide`
  )
}

/** Words of a line that name a file of the project, and the manifest behind a package manager. */
function filesIn(line: string, workFolder: string): readonly string[] {
  const words = line.split(/[\s'"`;&|()<>=]+/).filter((word) => word !== '' && !word.startsWith('-'))
  const named = words.filter((word) => {
    const path = resolve(workFolder, word)
    const way = relative(workFolder, path)
    return way !== '' && !way.startsWith('..') && !isAbsolute(way) && existsSync(path) && /[./]/.test(word)
  })
  const runsScripts = packageScriptsNamedIn(line).length > 0
  return runsScripts && existsSync(resolve(workFolder, 'package.json')) ? [...named, 'package.json'] : named
}
