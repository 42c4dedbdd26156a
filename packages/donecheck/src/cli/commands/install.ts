import { findProgram, withoutHooks } from '../../agents/index.ts'
import { harmless } from '../../display-text.ts'
import { UsageError } from '../../errors.ts'
import { rideFileOf, writeRideFile, type RidePlace } from '../../ride/index.ts'
import { agreed } from '../agent-hooks/agree.ts'
import { asOne } from '../agent-hooks/as-one.ts'
import { writeInstalled } from '../agent-hooks/carry-out.ts'
import { isChange, type FileChange } from '../agent-hooks/file-change.ts'
import { hollowChecks } from '../agent-hooks/hollow-checks.ts'
import { hookedAgent, type HookedAgent } from '../agent-hooks/known-agents.ts'
import { obstaclesTo } from '../agent-hooks/obstacles.ts'
import { ownProgram } from '../agent-hooks/own-program.ts'
import { pinChangeOf, questionOf, whatIsChecked } from '../agent-hooks/pin-change.ts'
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
  const { workFolder, config } = ride
  assertStoreOutside(storeFolderOf(undefined, workFolder, io), workFolder)
  const hollow = hollowChecks(config, workFolder)
  for (const { isInLine, problem } of hollow) if (isInLine) throw new UsageError(problem)
  const scope = flags.scope ?? 'user'
  const program = ownProgram()
  const timeoutSeconds = flags.hookTimeout ?? usualTimeoutSeconds
  const place = { ...io, workFolder }
  const { changes, notes } = await planInstall({
    ...{ agent, scope, program, node: process.execPath, place },
    timeoutSeconds,
  })
  const warnings = [
    ...hollow.map(({ problem }) => problem),
    ...warningsOf({ config, workFolder, scope, program, timeoutSeconds }),
    ...(await obstaclesTo(agent, scope, place)),
  ]
  for (const line of [...warnings, ...notes]) io.stderr.write(`donecheck: ${harmless(line)}\n`)
  const pin = pinChangeOf(ride.configuration, rideplace(ride, flags, io))
  const question = questionOf(pin, ride.configuration)
  const isAgreed = await agreed([...changes, pin], flags, io, question)
  if (!isAgreed) return flags.dryRun === true ? 0 : 1
  await write(changes, agent, ride, flags, io)
  io.stdout.write(`${await summary(agent, changes, ride, flags, io)}\n`)
  return 0
}

/** What the hooks go by stands before they do: none of them ever fires without it. All of it is written, or nothing. */
async function write(
  changes: readonly FileChange[],
  { settings, companion }: HookedAgent,
  ride: PinnedRide,
  flags: InstallFlags,
  io: CliIo,
): Promise<void> {
  const { configuration } = ride
  const place = rideplace(ride, flags, io)
  const [hooks, ...beside] = changes
  const installed = { agent: settings.agent, project: ride.workFolder }
  const standing = { file: hooks?.file ?? '', text: hooks?.after ?? '' }
  await asOne(async (touch) => {
    if (configuration !== undefined) await touch(rideFileOf(place), () => writeRideFile(place, configuration))
    const writing = { io, touch }
    if (hooks !== undefined)
      await writeInstalled(hooks, installed, (text) => withoutHooks(text, settings), writing)
    for (const change of beside)
      await writeInstalled(change, installed, (text) => companion?.without(text, standing) ?? text, writing)
  })
}

function rideplace({ workFolder }: PinnedRide, { allProjects }: InstallFlags, io: CliIo): RidePlace {
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
  const { known } = pinChangeOf(undefined, rideplace(ride, flags, io))
  const checked = known === undefined ? 'what was pinned before' : whatIsChecked(known)
  return [
    changes.some(isChange)
      ? `donecheck is installed into ${protocol.title} (${files}).`
      : `donecheck was installed into ${protocol.title} already (${files}); the hooks stand as they did.`,
    `It is not let go in ${flags.allProjects === true ? 'any project' : ride.workFolder} while a check is red: ${checked}.`,
    `What is checked stands in ${rideFileOf(rideplace(ride, flags, io))}; take it out again with: donecheck uninstall ${protocol.agent}`,
    ...(isHere ? [] : [`${protocol.title} itself was not found here (no program ${program} on PATH).`]),
    `Prove it with: donecheck doctor ${protocol.agent}`,
  ].join('\n')
}
