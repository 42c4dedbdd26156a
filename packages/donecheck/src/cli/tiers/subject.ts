/** What a run here would be held to. */
import type { DriveDescription } from '@donecheck/core/settings'
import { UsageError } from '@donecheck/engine/base'
import { partsOf } from '@donecheck/engine/compose'
import { scriptedDrive } from '@donecheck/engine/drives'
import type { Drive } from '@donecheck/engine/ports/loop'
import type { Store } from '@donecheck/engine/ports/store'
import { type Config, parseConfig } from '../../config/index.ts'
import { namedAgent } from '../agents/agents.ts'
import type { CliIo } from '../process/io.ts'
import { type Settings, resolveSettings } from '../settings/settings.ts'
import { chooseDrive } from '../wiring/loop/drive-choice.ts'
import { judgedOptions } from '../wiring/loop/loop-options.ts'
import { withProjectTests } from '../wiring/checks/some-check.ts'
import { withTextsRead } from '../wiring/judging/texts.ts'
import type { TierSubject, HookHost, ProjectChecks } from './tier.ts'
import { hostedSettings } from '@donecheck/agents/session'
import type { HookedAgent } from '../agents/agent-adapters.ts'
import { examine } from '../agent-hooks/doctor/examine.ts'
import { findInstalled } from '../agent-hooks/settings/installed-hooks.ts'
import { findHookedProject } from '../hook/input/project.ts'
import { typedFlags, type RunFlags } from '../options/flags.ts'
import { optionOf } from '../options/option.ts'
import { pinnedGroups } from '../options/table.ts'
import { judgingOptions } from '../wiring/judging/judging-options.ts'
import { detectChecks } from '@donecheck/engine/verify'
import { presetNames } from '../agents/survey.ts'
import { vacuousChecks } from '../agent-hooks/pin/pin-session.ts'
import { namesChecks } from '../wiring/checks/checks.ts'

/** @throws {UsageError} for settings with which a run would be refused, whatever drives it */
export async function subjectOfRun(
  { config: given, workFolder }: Settings,
  store: Store,
  io: CliIo,
): Promise<TierSubject> {
  const notes: string[] = []
  const read = await withTextsRead(given, workFolder, io)
  const config = await withProjectTests(read, workFolder, io, (note) => void notes.push(note))
  const { drive, note } = await driveOf(config, workFolder, io)
  const judged = await judgedOptions({ config, workFolder, store, io })
  const { settings } = partsOf({ ...judged, drive })
  return {
    ...{ workFolder, config, settings, host: null },
    ...(await projectChecks(config, workFolder)),
    ...(note === undefined ? { drive: drive.description, notes } : { drive: null, notes: [...notes, note] }),
  }
}

/** Only defaults hang on it: an audit needs neither key nor program. */
async function driveOf(
  config: Config,
  workFolder: string,
  io: CliIo,
): Promise<{ drive: Drive; note?: string }> {
  const { agent, model, baseUrl } = config
  if ((agent ?? model ?? baseUrl) === undefined)
    return { drive: unknownDrive(false), note: 'no agent or model is set: the defaults are those of a model' }
  try {
    return { drive: await chooseDrive(config, workFolder, io) }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const ownsTools = agent !== undefined && namedAgent(agent) !== undefined
    return { drive: unknownDrive(ownsTools), note: `a run cannot begin here: ${error.message}` }
  }
}

function unknownDrive(ownsTools: boolean): Drive {
  const description: Partial<DriveDescription> = {
    ...{ name: 'unknown', prices: null, contextWindowTokens: 2048 },
    // Nobody knows: a cap on cost is taken as said.
    reportsCost: true,
    ...(ownsTools ? { ownsTools } : {}),
  }
  return scriptedDrive([], { description })
}

interface HookedSettings extends Settings {
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

async function projectChecks(config: Config, workFolder: string): Promise<ProjectChecks> {
  const found = await detectChecks(workFolder)
  const offered = presetNames.flatMap((preset) => {
    const check = found[preset]
    if (check.kind === 'not-found') return []
    return [{ preset, what: `${check.command}: ${check.why}` }]
  })
  const named = (config.presets ?? []).map((preset) => [preset, aboutPreset(found[preset])] as const)
  const known = new Map([...aboutCommands(config), ...named, ...aboutJudge(config)])
  return { known, offered: namesChecks(config) ? [] : offered }
}

function aboutPreset(found: Awaited<ReturnType<typeof detectChecks>>['tests']) {
  return found.kind === 'found'
    ? { what: `${found.command} must exit with 0`, isIdle: false }
    : { what: 'nothing in the project makes it: name its command with --until', isIdle: true }
}

function aboutCommands(config: Config) {
  const vacuous = new Map(vacuousChecks(config).map(({ line, problem }) => [line, problem]))
  return (config.until ?? []).map(({ command, name }) => {
    const problem = vacuous.get(command)
    const what = name === undefined ? 'must exit with 0' : `${command} must exit with 0`
    return [name ?? command, { what: problem ?? what, isIdle: problem !== undefined }] as const
  })
}

function aboutJudge({ judge, verifyReplies = false }: Config) {
  if (judge === undefined || verifyReplies !== false) return []
  const what = `${judge.models.join(', ')}; decides only once donecheck judge calibrate has measured it`
  return [['judge', { what, isIdle: false }] as const]
}
