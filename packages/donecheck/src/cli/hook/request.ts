import { join } from 'node:path'
import { placesOf, type AgentSessionChoices } from '@donecheck/agents/internal/session'
import { roomPlaces, stateHome } from '@donecheck/engine/internal/base'
import type { HookCall } from './call.ts'
import type { HookedProject } from './project.ts'

export interface HookRequest extends HookedProject {
  readonly call: HookCall
  readonly sessionId: string
  readonly unattended: boolean | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeFolder: string
  readonly programFolder?: string | undefined
}

/** Choices of the installation; defaults depend on whether a person attends. */
export function choicesOf({ configuration, unattended, call }: HookRequest) {
  return {
    onBrokenCheck: configuration.onBrokenCheck ?? 'hold',
    // A turn of a conversation may change nothing; a task must.
    whenUnchanged: configuration.whenUnchanged ?? (unattended === false ? 'allow-stop' : 'verify'),
    onGatePrompt: configuration.onGatePrompt ?? 'agent',
    // Running the checks on the baseline would delay every prompt.
    baseline: 'tree',
    reportsUsage: false,
    silentFailures: call.protocol.silentFailures,
  } as const satisfies AgentSessionChoices
}

/** Paths that the agent must not write, including records of other projects. */
export function ownPlacesOf(request: HookRequest): readonly string[] {
  const { call, sessionFile, storeFolder, workFolder, homeFolder, environment, programFolder } = request
  const paths = [
    ...call.protocol.ownSettings(environment),
    sessionFile,
    storeFolder,
    join(stateHome(request), 'donecheck'),
    ...roomPlaces(request),
    ...(programFolder === undefined ? [] : [join(programFolder, 'bin'), join(programFolder, 'dist')]),
  ]
  return placesOf(paths, workFolder, homeFolder)
}
