/** From what was typed, and what the files of the project say now, to what the hooks go by: the agent cannot change it later. */
import type { Config } from '../../config/index.ts'
import { UsageError } from '../../errors.ts'
import type { JsonValue } from '../../events/index.ts'
import { readRideFile, type RideConfiguration } from '../../ride/index.ts'
import { checkingOptions, checksOf } from '../checks.ts'
import type { InstallFlags } from '../hook-options.ts'
import type { CliIo } from '../io.ts'
import type { RunFlags } from '../options.ts'
import { recipeOf } from '../recipe.ts'
import { projectRulesNow, rulesNow } from '../rules.ts'
import { settingsOf } from '../settings.ts'

export interface PinnedRide {
  /** Undefined: the one that is there already stays. */
  readonly configuration: RideConfiguration | undefined
  readonly config: Config
  readonly workFolder: string
}

/** @throws {UsageError} where there is nothing to check */
export async function pinnedRide(flags: InstallFlags, io: CliIo): Promise<PinnedRide> {
  const { workFolder, config } = await settingsOf(runFlagsOf(flags), io)
  const project = flags.allProjects === true ? undefined : workFolder
  if (checksOf(config).length === 0) {
    const known = readRideFile({ ...io, workFolder: project })
    if (known === undefined || changesAnything(flags)) throw nothingToCheck(workFolder)
    return { configuration: undefined, config, workFolder }
  }
  checkingOptions(config, Date.now())
  return { configuration: await configurationOf(config, flags, project, io), config, workFolder }
}

async function configurationOf(
  config: Config,
  flags: InstallFlags,
  workFolder: string | undefined,
  io: CliIo,
): Promise<RideConfiguration> {
  const { onBrokenCheck, whenUnchanged, onGatePrompt } = flags
  const kept = {
    ...config,
    keptRules: await rulesNow(config, io),
    keptProjectRules: workFolder === undefined ? undefined : await projectRulesNow(config, workFolder),
  }
  return {
    config: plainData(recipeOf(withoutUndefined(kept))),
    ...(workFolder === undefined ? {} : { workFolder }),
    ...(onBrokenCheck === undefined ? {} : { onBrokenCheck, onCrash: onBrokenCheck }),
    ...(whenUnchanged === undefined ? {} : { whenUnchanged }),
    ...(onGatePrompt === undefined ? {} : { onGatePrompt }),
  }
}

function withoutUndefined(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))
}

function plainData(recipe: JsonValue): RideConfiguration['config'] {
  return typeof recipe === 'object' && recipe !== null && !('length' in recipe) ? { ...recipe } : {}
}

/** Of the installation itself: they configure nothing that a run could have. */
const ofInstallation: readonly string[] = [
  'scope',
  'yes',
  'dryRun',
  'allProjects',
  'hookTimeout',
  'onBrokenCheck',
  'whenUnchanged',
  'onGatePrompt',
]

function runFlagsOf(flags: InstallFlags): RunFlags {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !ofInstallation.includes(name)))
}

/** Somebody who types what is to be checked, or how, means to change it, not to keep it. */
function changesAnything(flags: InstallFlags): boolean {
  const places = ['workdir', 'config']
  const typed = Object.entries(runFlagsOf(flags)).filter(
    // Flags that can only be switched off are true where nobody has typed them.
    ([name, value]) => !places.includes(name) && value !== undefined && value !== true,
  )
  return [...typed, flags.onBrokenCheck, flags.whenUnchanged, flags.onGatePrompt].some(
    (one) => one !== undefined,
  )
}

function nothingToCheck(workFolder: string): UsageError {
  return new UsageError(
    `there is nothing to check in ${workFolder}: name a check with --until "npm test" or --preset tests, or in a donecheck.config.ts`,
  )
}
