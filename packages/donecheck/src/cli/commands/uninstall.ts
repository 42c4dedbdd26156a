import { readSettings, type SettingsPlace, type SettingsScope } from '../../agents/index.ts'
import { removeRideFile } from '../../ride/index.ts'
import { agreed, removalOf, writeRemoval, type Removal } from '../agent-hooks/carry-out.ts'
import { isChange } from '../agent-hooks/file-change.ts'
import { hookedAgent, hookedAgentNames, type HookedAgent } from '../agent-hooks/known-agents.ts'
import { originalOf } from '../agent-hooks/originals.ts'
import { planUninstall } from '../agent-hooks/plan.ts'
import { readSettingsFile } from '../agent-hooks/settings-file.ts'
import type { UninstallFlags } from '../hook-options.ts'
import type { CliIo } from '../io.ts'
import { workFolderOf } from '../work-folder.ts'

/** Exits with 0 where no hook of ours is left, and with 1 where the person said no. */
export async function uninstallCommand(name: string, flags: UninstallFlags, io: CliIo): Promise<number> {
  const agent = await hookedAgent(name)
  const place = { ...io, workFolder: workFolderOf(flags.workdir, io) }
  const scopes: readonly SettingsScope[] = flags.scope === undefined ? ['user', 'project'] : [flags.scope]
  const removals: Removal[] = []
  for (const scope of scopes) removals.push(...(await removalsOf(agent, scope, place, io)))
  if (removals.length === 0) {
    io.stdout.write(`donecheck is not installed into ${agent.protocol.title}; nothing was changed.\n`)
    return 0
  }
  await tellOthers(removals, place, io)
  if (!(await agreed(removals, flags, io))) return flags.dryRun === true ? 0 : 1
  for (const removal of removals) await writeRemoval(removal, io)
  io.stdout.write(`${summary(agent, removals)}\n`)
  await forgetProject(place, io)
  return 0
}

async function removalsOf(
  agent: HookedAgent,
  scope: SettingsScope,
  place: SettingsPlace,
  io: CliIo,
): Promise<readonly Removal[]> {
  const { changes } = await planUninstall({ agent, scope, place })
  const removals = await Promise.all(changes.map((change) => removalOf(change, io)))
  const [hooks] = removals
  return hooks !== undefined && isChange(hooks) ? removals.filter(isChange) : []
}

/** Hooks of the user serve all projects. */
async function tellOthers(removals: readonly Removal[], place: SettingsPlace, io: CliIo): Promise<void> {
  const kept = await Promise.all(removals.map(({ file }) => originalOf(file, io)))
  const others = new Set(kept.flatMap((one) => one?.projects ?? []).filter((one) => one !== place.workFolder))
  if (others.size > 0)
    io.stderr.write(`donecheck: these projects are not checked any more either: ${[...others].join(', ')}\n`)
}

function summary({ protocol }: HookedAgent, removals: readonly Removal[]): string {
  const files = removals.map(({ file, isOriginal, bytes }) => {
    if (bytes === undefined) return `${file} is gone, as before`
    return isOriginal
      ? `${file} is as it was before, to the byte`
      : `${file} was changed by others since, and keeps what they wrote`
  })
  return [`donecheck is taken out of ${protocol.title}.`, ...files].join('\n')
}

/** What is checked here is kept as long as any agent has hooks that ask for it. */
async function forgetProject(place: SettingsPlace, io: CliIo): Promise<void> {
  for (const name of hookedAgentNames) {
    const { settings } = await hookedAgent(name)
    for (const scope of ['user', 'project'] as const) {
      const { text } = await readSettingsFile(settings.file(scope, place))
      const read = readSettings(text, settings)
      if (read.kind === 'read' && read.hooks.some(({ ours }) => ours !== undefined)) return
    }
  }
  removeRideFile({ ...io, workFolder: place.workFolder })
}
