import { join } from 'node:path'
import type { HostedSessionChoices } from '@donecheck/agents/session'
import { neutralFolder, stateHome } from '@donecheck/engine/base'
import type { HookCall } from './call.ts'
import type { HookedProject } from './project.ts'

/** One call of a hook, with all that was found out about it. */
export interface HookRequest extends HookedProject {
  readonly call: HookCall
  readonly sessionId: string
  /** Unattended. Undefined: it does not say. */
  readonly unattended: boolean | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeFolder: string
  /** Where this very program lies; undefined: not known. */
  readonly programFolder?: string | undefined
}

/** What was chosen when the hooks were installed; what was not chosen depends on whether it is attended. */
export function choicesOf({ configuration, unattended, call }: HookRequest) {
  return {
    onBrokenCheck: configuration.onBrokenCheck ?? 'hold',
    // A conversation has turns that are to change nothing; a task has not.
    whenUnchanged: configuration.whenUnchanged ?? (unattended === false ? 'allow-stop' : 'verify'),
    onGatePrompt: configuration.onGatePrompt ?? 'agent',
    // The checks of a baseline tree would hold up every prompt.
    baseline: 'tree',
    reportsUsage: false,
    silentFailures: call.protocol.silentFailures,
  } as const satisfies HostedSessionChoices
}

/** What the agent may not write to: with the records of other projects, by which a folder of this one could be taken out. */
export function untouchableFor(request: HookRequest): readonly string[] {
  const { call, sessionFile, storeFolder, environment, programFolder } = request
  return [
    ...call.protocol.ownSettings(environment),
    sessionFile,
    storeFolder,
    join(stateHome(request), 'donecheck'),
    neutralFolder(request, 'work'),
    ...(programFolder === undefined ? [] : [join(programFolder, 'bin'), join(programFolder, 'dist')]),
  ]
}

/** What a hook needs that it did not bring along: the same event is then taken up by the whole program. Nothing was recorded. */
export class NeedsMore extends Error {
  override readonly name = 'NeedsMore'

  constructor(what: string) {
    super(`the hook needs ${what}`)
  }
}
