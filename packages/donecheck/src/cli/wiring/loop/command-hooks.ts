/** Separate from the guard, which loads source parsers. */
import { isAbsolute, relative } from 'node:path'
import { oneLine } from '@donecheck/core/base'
import { hookPoints, type HookPoint } from '@donecheck/core/gate'
import { commandHooks, digestHookScripts, unfixedProgramsOf, type HookLists } from '@donecheck/engine/callbacks'
import { findProgram } from '@donecheck/engine/process'
import { toMilliseconds, type Config } from '../../../config/index.ts'
import { given } from '@donecheck/engine/base'

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
    ...given({ timeoutMs: toMilliseconds(timeoutSeconds) }),
  }))
  const { keptHookScripts: scripts = {} } = config
  return commandHooks(commands, { folder, environment, scripts })
}

/** Later changes of the scripts by the agent have no effect. */
export function withHooksKept(config: Config, folder: string): Config {
  if (config.hooks === undefined) return config
  return { ...config, keptHookScripts: digestHookScripts(hookCommands(config), folder) }
}

/** Lists hooks that the agent could change because nothing of them is fixed. */
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

const shellWords =
  /^(?:exit|read|set|cd|test|\[|:|export|return|shift|command|trap|unset|local|break|continue)$/u

function isOutside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way.startsWith('../') || isAbsolute(way)
}

export function hookCommands(config: Config): readonly string[] {
  return configured(config).map(({ command }) => command)
}

function configured({ hooks = {} }: Config) {
  return hookPoints.flatMap((point: HookPoint) => (hooks[point] ?? []).map((hook) => ({ ...hook, point })))
}
