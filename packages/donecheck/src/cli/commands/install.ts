import { findProgram, withoutHooks } from '../../agents/index.ts'
import { rideFileOf, writeRideFile, type RideConfiguration } from '../../ride/index.ts'
import { agreed, writeInstalled } from '../agent-hooks/carry-out.ts'
import { isChange, type FileChange } from '../agent-hooks/file-change.ts'
import { hookedAgent, type HookedAgent } from '../agent-hooks/known-agents.ts'
import { ownProgram } from '../agent-hooks/own-program.ts'
import { pinnedRide, type PinnedRide } from '../agent-hooks/pinned-ride.ts'
import { planInstall } from '../agent-hooks/plan.ts'
import { warningsOf } from '../agent-hooks/warnings.ts'
import type { InstallFlags } from '../hook-options.ts'
import type { CliIo } from '../io.ts'
import { storeFolderOf } from '../store-folder.ts'
import { assertStoreOutside } from '../store-outside.ts'
import { workFolderOf } from '../work-folder.ts'

const usualTimeoutSeconds = 600

/** Exits with 0 where the hooks stand as they should, and with 1 where the person said no. */
export async function installCommand(name: string, flags: InstallFlags, io: CliIo): Promise<number> {
  const agent = await hookedAgent(name)
  workFolderOf(flags.workdir, io)
  const ride = await pinnedRide(flags, io)
  assertStoreOutside(storeFolderOf(undefined, ride.workFolder, io), ride.workFolder)
  const scope = flags.scope ?? 'user'
  const program = ownProgram()
  const { changes, notes } = await planInstall({
    ...{ agent, scope, program, node: process.execPath },
    place: { ...io, workFolder: ride.workFolder },
    timeoutSeconds: flags.hookTimeout ?? usualTimeoutSeconds,
  })
  const warnings = warningsOf({ config: ride.config, workFolder: ride.workFolder, scope, program })
  for (const line of [...warnings, ...notes]) io.stderr.write(`donecheck: ${line}\n`)
  const isAgreed = await agreed(changes, flags, io)
  if (!isAgreed) return flags.dryRun === true ? 0 : 1
  await write(changes, agent, ride, flags, io)
  io.stdout.write(`${await summary(agent, changes, ride, flags, io)}\n`)
  return 0
}

/** What the hooks go by stands before they do: none of them ever fires without it. */
async function write(
  changes: readonly FileChange[],
  { settings, companion }: HookedAgent,
  ride: PinnedRide,
  flags: InstallFlags,
  io: CliIo,
): Promise<void> {
  if (ride.configuration !== undefined) writeRideFile(rideplace(ride, flags, io), ride.configuration)
  const [hooks, ...beside] = changes
  const installed = { agent: settings.agent, project: ride.workFolder }
  if (hooks !== undefined) await writeInstalled(hooks, installed, (text) => withoutHooks(text, settings), io)
  const standing = { file: hooks?.file ?? '', text: hooks?.after ?? '' }
  for (const change of beside)
    await writeInstalled(change, installed, (text) => companion?.without(text, standing) ?? text, io)
}

function rideplace({ workFolder }: PinnedRide, { allProjects }: InstallFlags, io: CliIo) {
  return { ...io, workFolder: allProjects === true ? undefined : workFolder }
}

async function summary(
  { protocol, program }: HookedAgent,
  changes: readonly FileChange[],
  ride: PinnedRide,
  flags: InstallFlags,
  io: CliIo,
): Promise<string> {
  const files = changes.map(({ file }) => file).join(' and ')
  const isHere = (await findProgram(program, io.environment)) !== undefined
  return [
    changes.some(isChange)
      ? `donecheck is installed into ${protocol.title} (${files}).`
      : `donecheck was installed into ${protocol.title} already (${files}); the hooks stand as they did.`,
    `It is not let go in ${flags.allProjects === true ? 'any project' : ride.workFolder} while a check is red: ${whatIsChecked(ride.configuration)}.`,
    `What is checked stands in ${rideFileOf(rideplace(ride, flags, io))}; take it out again with: donecheck uninstall ${protocol.agent}`,
    ...(isHere ? [] : [`${protocol.title} itself was not found here (no program ${program} on PATH).`]),
    `Prove it with: donecheck doctor ${protocol.agent}`,
  ].join('\n')
}

function whatIsChecked(configuration: RideConfiguration | undefined): string {
  if (configuration === undefined) return 'what was pinned before'
  const { until, presets } = configuration.config
  const commands = listOf(until).map((check) =>
    typeof check === 'object' && check !== null && 'command' in check ? String(check.command) : String(check),
  )
  return [...commands, ...listOf(presets).map((preset) => `the preset ${String(preset)}`)].join(', ')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
