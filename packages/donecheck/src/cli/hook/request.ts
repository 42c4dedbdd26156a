import { join } from 'node:path'
import type { RideChoices } from '../../ride/index.ts'
import { stateHome } from '../../state-home.ts'
import type { HookCall } from './call.ts'
import type { RidingProject } from './project.ts'

/** One call of a hook, with all that was found out about it. */
export interface HookRequest extends RidingProject {
  readonly call: HookCall
  readonly sessionId: string
  /** Nobody sits before the agent. Undefined: it does not say. */
  readonly unattended: boolean | undefined
  /** Where the agent itself keeps what happens in the session. Undefined: it does not say. */
  readonly record?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeFolder: string
  /** Where this very program lies; undefined: not known. */
  readonly programFolder?: string | undefined
}

/** What was chosen when the hooks were installed; what was not chosen depends on whether somebody sits there. */
export function choicesOf({ configuration, unattended, call }: HookRequest) {
  return {
    onBrokenCheck: configuration.onBrokenCheck ?? 'hold',
    // A conversation has turns that are to change nothing; a task has not.
    whenUnchanged: configuration.whenUnchanged ?? (unattended === false ? 'let-go' : 'verify'),
    onGatePrompt: configuration.onGatePrompt ?? 'agent',
    // The checks of an untouched tree would hold up every prompt.
    baseline: 'tree',
    reportsUsage: false,
    silentFailures: call.protocol.silentFailures,
  } as const satisfies RideChoices
}

/** What the agent may not write to: with the records of other projects, by which a folder of this one could be taken out. */
export function untouchableFor(request: HookRequest): readonly string[] {
  const { call, rideFile, storeFolder, environment, programFolder } = request
  return [
    ...call.protocol.ownSettings(environment),
    rideFile,
    storeFolder,
    join(stateHome(request), 'donecheck'),
    ...(programFolder === undefined ? [] : [join(programFolder, 'bin'), join(programFolder, 'dist')]),
  ]
}
