import { existsSync } from 'node:fs'
import type { SettingsContext, SettingsScope } from '@donecheck/agents/internal/protocol/settings'
import { hookedAgentNames } from '@donecheck/agents/internal/protocol/registry'
import { removeSessionFile, sessionFileOf } from '@donecheck/agents/internal/session'
import {
  confirmChanges,
  surroundingAgent,
  type SettingsFlags,
  changeTogether,
  isChange,
} from '../../agent-hooks/install/confirm-changes.ts'
import {
  planRemoval,
  writeRemoval,
  type Removal,
  forgetOriginal,
  findOriginal,
  planUninstall,
} from '../../agent-hooks/install/plan.ts'
import { type CliIo, resolveWorkFolder } from '../../process/io.ts'
import { loadHookedAgent, type HookedAgent } from '../../agents/agents.ts'
import { readAgentSettings } from '../../agent-hooks/settings/settings-file.ts'
import type { Flags } from '../../options/flags.ts'

type UninstallFlags = SettingsFlags & Flags<'workdir'>

export async function uninstallCommand(name: string, flags: UninstallFlags, io: CliIo): Promise<number> {
  const agent = await loadHookedAgent(name)
  const place = { ...io, workFolder: resolveWorkFolder(flags.workdir, io) }
  const scopes: readonly SettingsScope[] = flags.scope === undefined ? ['user', 'project'] : [flags.scope]
  const removals: Removal[] = []
  for (const scope of scopes) removals.push(...(await planRemovals(agent, scope, place, io)))
  if (removals.length === 0) {
    io.stdout.write(`donecheck is not installed into ${agent.protocol.title}; nothing was changed.\n`)
    if (flags.dryRun !== true && surroundingAgent(io.environment) === undefined)
      for (const scope of scopes) await forgetOriginal(agent.settings.file(scope, place), io)
    return 0
  }
  await tellOthers(removals, place, io)
  if (!(await confirmChanges(removals, flags, io))) return flags.dryRun === true ? 0 : 1
  await changeTogether(async (touch) => {
    for (const removal of removals) await writeRemoval(removal, { io, touch })
  })
  io.stdout.write(`${summary(agent, removals)}\n`)
  await forgetProject(place, io)
  return 0
}

async function planRemovals(
  agent: HookedAgent,
  scope: SettingsScope,
  place: SettingsContext,
  io: CliIo,
): Promise<readonly Removal[]> {
  const changes = await planUninstall({ agent, scope, place })
  const removals = await Promise.all(changes.map((change) => planRemoval(change, io)))
  const [hooks] = removals
  return hooks !== undefined && isChange(hooks) ? removals.filter(isChange) : []
}

/** Hooks of the user serve all projects. */
async function tellOthers(removals: readonly Removal[], place: SettingsContext, io: CliIo): Promise<void> {
  const kept = await Promise.all(removals.map(({ file }) => findOriginal(file, io)))
  const others = new Set(kept.flatMap((one) => one?.projects ?? []).filter((one) => one !== place.workFolder))
  if (others.size > 0)
    io.stderr.write(`donecheck: these projects are not checked any more either: ${[...others].join(', ')}\n`)
}

function summary({ protocol }: HookedAgent, removals: readonly Removal[]): string {
  const files = removals.map(({ file, isOriginal, after }) => {
    if (after === undefined) return `${file} is gone, as before`
    return isOriginal
      ? `${file} is as it was before, to the byte`
      : `${file} was changed by others since, and keeps what they wrote`
  })
  return [`donecheck is taken out of ${protocol.title}.`, ...files].join('\n')
}

/** Keeps the pinned checks while any agent has, or may have, hooks that need them. */
async function forgetProject(place: SettingsContext, io: CliIo): Promise<void> {
  for (const name of hookedAgentNames)
    for (const scope of ['user', 'project'] as const)
      if (await mayHaveOurs(await loadHookedAgent(name), scope, place)) return
  const own = { ...io, workFolder: place.workFolder }
  await changeTogether((touch) =>
    touch(sessionFileOf(own), () => removeSessionFile(own)).catch(() => undefined),
  )
  const common = sessionFileOf({ ...io, workFolder: undefined })
  if (existsSync(common))
    io.stderr.write(
      `donecheck: what is checked in all projects stays in ${common}: hooks of a project may go by it; remove it where none does\n`,
    )
}

async function mayHaveOurs(
  { settings }: HookedAgent,
  scope: SettingsScope,
  place: SettingsContext,
): Promise<boolean> {
  const read = await readAgentSettings(settings, settings.file(scope, place))
  return read.kind === 'unreadable' || read.hooks.some(({ ours }) => ours !== undefined)
}
