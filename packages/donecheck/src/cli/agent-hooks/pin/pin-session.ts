/** From what was typed, and what the files of the project say now, to what the hooks go by: the agent cannot change it later. */
import { given } from '@donecheck/engine/base'
import { memoryStore } from '@donecheck/engine/store'
import { withTextsRead } from '../../wiring/judging/texts.ts'
import type { Config } from '../../../config/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { readSessionFile, type SessionConfiguration } from '@donecheck/agents/session'
import { checkingOptions, checksOf } from '../../wiring/checks/checks.ts'
import { checkLinesOf, decides, withSomeCheck } from '../../wiring/checks/some-check.ts'
import type { SettingsFlags } from '../install/confirm-changes.ts'
import type { CliIo } from '../../process/io.ts'
import type { RunFlags } from '../../options/flags.ts'
import { recipeOf } from '../../settings/recipe.ts'
import { projectRulesNow, rulesNow } from '../../wiring/gate/rules.ts'
import { resolveSettings } from '../../settings/settings.ts'
import { storeFolderOf } from '../../settings/store-folder.ts'

/** Beside those of a run, which are pinned. */
export interface InstallFlags extends SettingsFlags, RunFlags {
  readonly allProjects?: boolean
  readonly hookTimeout?: number
  readonly onBrokenCheck?: 'hold' | 'allow-stop'
  readonly whenUnchanged?: 'verify' | 'allow-stop'
  readonly onGatePrompt?: 'agent' | 'ask'
}

export interface PinnedSession {
  /** Undefined: the one that is there already stays. */
  readonly configuration: SessionConfiguration | undefined
  readonly config: Config
  readonly workFolder: string
}

/** @throws {UsageError} where there is nothing to check */
export async function pinSession(flags: InstallFlags, io: CliIo): Promise<PinnedSession> {
  const { workFolder, config: resolved } = await resolveSettings(runFlagsOf(flags), io)
  const project = flags.allProjects === true ? undefined : workFolder
  const named = await withTextsRead(resolved, project, io)
  const isKept = !changesAnything(flags) && !(await decides(named, workFolder, io))
  if (isKept && readSessionFile({ ...io, workFolder: project }) !== undefined)
    return { configuration: undefined, config: named, workFolder }
  const config = await withSomeCheck(named, workFolder, io)
  // Nothing is opened, so that an installation that is refused leaves nothing behind.
  const store = { ...memoryStore(), folder: storeFolderOf(config.store, workFolder, io) }
  await checksOf(config, { workFolder, store, io })
  checkingOptions(config, Date.now())
  return { configuration: await resolveConfiguration(config, flags, project, io), config, workFolder }
}

async function resolveConfiguration(
  config: Config,
  flags: InstallFlags,
  workFolder: string | undefined,
  io: CliIo,
): Promise<SessionConfiguration> {
  const { onBrokenCheck, whenUnchanged, onGatePrompt } = flags
  const kept = {
    ...config,
    keptRules: await rulesNow(config, io),
    ...(workFolder === undefined
      ? {}
      : {
          keptProjectRules: await projectRulesNow(config, workFolder),
          keptCheckLines: [...(await checkLinesOf(config, workFolder))],
        }),
  }
  return {
    config: plainData(recipeOf(kept)),
    ...given({ workFolder, onBrokenCheck, onCrash: onBrokenCheck, whenUnchanged, onGatePrompt }),
  }
}

function plainData(recipe: JsonValue): SessionConfiguration['config'] {
  return typeof recipe === 'object' && recipe !== null && !('length' in recipe) ? { ...recipe } : {}
}

/** Of the installation itself: they configure nothing that a run could have. */
const installationFlags: readonly string[] = ['scope', 'yes', 'dryRun', 'allProjects', 'hookTimeout']
const sessionChoices: readonly string[] = ['onBrokenCheck', 'whenUnchanged', 'onGatePrompt']

function runFlagsOf(flags: InstallFlags): RunFlags {
  const others = [...installationFlags, ...sessionChoices]
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !others.includes(name)))
}

/** Somebody who types what is to be checked, or how, means to change it, not to keep it. */
function changesAnything(flags: InstallFlags): boolean {
  const others = [...installationFlags, 'workdir', 'config']
  // Flags that can only be switched off are true where nobody has typed them.
  return Object.entries(flags).some(
    ([name, value]) => !others.includes(name) && value !== undefined && value !== true,
  )
}
