/** Caps, the guard and the hooks of the configuration, as the engine takes them. */
import { given, UsageError } from '@donecheck/engine/base'
import type { HardCap, GuardChoices } from '@donecheck/engine/compose'
import type { Config } from '../../../config/index.ts'
import { findProgram } from '@donecheck/engine/process'
import { bounds, capTable, type Bound } from '@donecheck/core/budgets'
import { tamperRules, type TamperRule } from '@donecheck/engine/tamper'
import type { GuardWaiver } from '@donecheck/engine/workspace'
import type { Baseline } from '../checks/baseline.ts'
import { isAbsolute, relative } from 'node:path'
import {
  commandHooks,
  digestHookScripts,
  unfixedProgramsOf,
  type HookLists,
} from '@donecheck/engine/callbacks'
import { oneLine } from '@donecheck/core/base'
import { hookPoints, type HookPoint } from '@donecheck/core/gate'

/** The caps of the configuration; what it does not name has its default. */
export function hardCapOf(config: Config): HardCap {
  const named = bounds.filter((bound) => config[capTable[bound].key] !== undefined)
  return {
    ...Object.fromEntries(named.map((bound) => [bound, valueOf(config, bound)])),
    ...given({ callsPerTool: config.maxToolCallsOf }),
  }
}

/** Times are typed in seconds. */
function valueOf(config: Config, bound: Bound): number | null | undefined {
  const { key, kind } = capTable[bound]
  const value = config[key]
  return kind === 'time' && typeof value === 'number' ? value * 1000 : value
}

export interface GuardRequest {
  readonly config: Config
  readonly homeFolder: string
  readonly baseline: Baseline
}

/** False: it is switched off. @throws {UsageError} for a rule that there is not */
export function guardChoices({ config, homeFolder, baseline }: GuardRequest): GuardChoices | false {
  if (config.tamperGuard === false) return false
  const { onTamper, checkIn, dependencies, protect, mayChange, heldOutFiles } = config
  return {
    home: homeFolder,
    checkCommands: [
      ...[...(config.until ?? []), ...(config.heldOut ?? [])].map(({ command }) => command),
      ...hookCommands(config),
    ],
    waivers: waiversOf(config),
    ...given({ onTamper, checkIn, dependencies, protect, mayChange, heldOutFiles }),
    ...(baseline.kind === 'revision' ? { baseline: baseline.revision } : {}),
    ...(baseline.kind === 'recorded' ? { snapshotRunId: baseline.runId } : {}),
  }
}

function waiversOf({ waive = [] }: Config): readonly GuardWaiver[] {
  return waive.flatMap((waiver): readonly GuardWaiver[] => {
    if ('check' in waiver) return []
    return ['rule' in waiver ? { ...waiver, rule: ruleOf(waiver.rule) } : waiver]
  })
}

function ruleOf(name: string): TamperRule {
  const rule = tamperRules.find((known) => known === name)
  if (rule !== undefined) return rule
  throw new UsageError(`waive: there is no rule "${name}"; the rules are ${tamperRules.join(', ')}`)
}

export function hooksOf(
  config: Config,
  folder: string,
  environment: Readonly<Record<string, string>>,
): HookLists {
  const commands = configured(config).map(({ point, command, name, timeoutSeconds, ...options }) => ({
    ...options,
    point,
    command,
    name: name ?? `${point}: ${oneLine(command, 50)}`,
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: Math.ceil(timeoutSeconds * 1000) }),
  }))
  const { keptHookScripts: scripts = {} } = config
  return commandHooks(commands, { folder, environment, scripts })
}

/** The scripts of the commands as they are now: what the agent makes of them later is not run. */
export function withHooksKept(config: Config, folder: string): Config {
  if (config.hooks === undefined) return config
  return { ...config, keptHookScripts: digestHookScripts(hookCommands(config), folder) }
}

/** About every line that the agent may have in its hands: nothing of it is fixed, and no program outside of the project is it. */
export async function unfixedHookNotices(
  config: Config,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const notices: string[] = []
  for (const line of new Set(hookCommands(config))) {
    for (const { program, looksInProject } of unfixedProgramsOf(line, folder)) {
      if (shellWords.test(program)) continue
      const found = looksInProject ? undefined : findProgram(program, environment)
      if (found !== undefined && isOutside(found, folder)) continue
      notices.push(
        `nothing of the hook "${oneLine(line, 50)}" could be fixed; keep it outside of the project`,
      )
      break
    }
  }
  return notices
}

/** What a shell does itself. */
const shellWords =
  /^(?:exit|read|set|cd|test|\[|:|export|return|shift|command|trap|unset|local|break|continue)$/u

function isOutside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way.startsWith('../') || isAbsolute(way)
}

/** Their lines: what they run is as little the agent's to change as what the checks run. */
export function hookCommands(config: Config): readonly string[] {
  return configured(config).map(({ command }) => command)
}

function configured({ hooks = {} }: Config) {
  return hookPoints.flatMap((point: HookPoint) => (hooks[point] ?? []).map((given) => ({ ...given, point })))
}
