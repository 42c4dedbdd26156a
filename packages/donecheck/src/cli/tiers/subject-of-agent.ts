/** What the hooks of an agent ask, read as they read it. */
import { hostedSettings } from '@donecheck/agents/session'
import { UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { parseConfig } from '../../config/index.ts'
import type { HookedAgent } from '../agents/agent-adapters.ts'
import { examine } from '../agent-hooks/doctor/examine.ts'
import { findInstalled } from '../agent-hooks/settings/installed-hooks.ts'
import { findHookedProject } from '../hook/input/project.ts'
import type { CliIo } from '../process/io.ts'
import { typedFlags, type RunFlags } from '../options/flags.ts'
import { optionOf } from '../options/option.ts'
import { pinnedGroups } from '../options/table.ts'
import { resolveSettings, type Settings } from '../settings/settings.ts'
import { judgingOptions } from '../wiring/judging/judging-options.ts'
import { projectChecks } from './project-checks.ts'
import type { HookHost, TierSubject } from './tier.ts'

export interface HookedSettings extends Settings {
  readonly host: HookHost
  /** Of its sessions. Undefined: nothing is pinned here. */
  readonly storeFolder: string | undefined
}

/**
 * As it stands; with flags as it would stand after an installation with them.
 * @throws {UsageError} for a flag that an installation does not take, and a configuration that cannot be read
 */
export async function hookedSettings(
  agent: HookedAgent,
  flags: RunFlags,
  workFolder: string,
  io: CliIo,
): Promise<HookedSettings> {
  const isPlanned = namesInstallation(flags)
  const project = findHookedProject(workFolder, io)
  const pinned = isPlanned ? undefined : project
  const place = { ...io, workFolder }
  const found = await findInstalled(agent, place)
  const isInstalled = found.installed.length > 0 && pinned !== undefined
  const { onBrokenCheck = 'hold', whenUnchanged } = pinned?.configuration ?? {}
  const { registrations, agent: name, title } = agent.protocol
  return {
    ...(pinned === undefined
      ? await resolveSettings(flags, io)
      : {
          workFolder: pinned.workFolder,
          config: parseConfig(pinned.configuration.config, pinned.sessionFile),
        }),
    host: {
      ...{ agent: name, title, onBrokenCheck, whenUnchanged },
      hooks: isPlanned ? 'planned' : isInstalled ? 'installed' : 'none',
      claims: registrations.flatMap(({ event, as, verifies }) => (verifies === true ? [as ?? event] : [])),
      // What is not installed yet is no fault of what would be.
      problems: isPlanned ? [] : (await examine(agent, found, place, io)).problems,
    },
    storeFolder: project?.storeFolder,
  }
}

/** @throws {UsageError} as `createHostedSession`, whose settings these are */
export async function subjectOfAgent(
  { config, workFolder, host }: HookedSettings,
  store: Store,
  io: CliIo,
): Promise<TierSubject> {
  const judging = await judgingOptions({ config, workFolder, store, io })
  const { settings, drive } = hostedSettings({ ...judging, agent: host.agent })
  return {
    workFolder,
    config,
    settings,
    drive,
    ...(await projectChecks(config, workFolder)),
    notes: [],
    host,
  }
}

const ofInstall = pinnedGroups.flatMap(({ rows }) => rows.map((row) => optionOf(row).attributeName()))
const ofPlace: readonly string[] = ['workdir', 'store']

/** @throws {UsageError} for a flag that hooks know nothing of */
function namesInstallation(flags: RunFlags): boolean {
  const typed = typedFlags(flags).filter(({ flag }) => !ofPlace.includes(flag))
  const foreign = typed.find(({ flag }) => !ofInstall.includes(flag))
  if (foreign === undefined) return typed.length > 0 || flags.config !== undefined
  throw new UsageError(
    `${foreign.typed} is for a run, and hooks know nothing of it: leave it out, or leave out --agent`,
  )
}
