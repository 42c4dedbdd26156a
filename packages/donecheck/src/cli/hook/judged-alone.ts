/** The gate without a record: where nothing can be written down, a call is still judged by what was pinned. */
import type { HostAnswer, HostCall } from '../../agents/index.ts'
import { parseConfig } from '../../config/index.ts'
import type { Gate } from '../../ports.ts'
import { effectOf, placesOf, prepareAct } from '../../ride/index.ts'
import { hookGate } from './gate.ts'
import { NeedsMore } from './needs-more.ts'
import { untouchableFor, type HookRequest } from './request.ts'

/** A call that it lets pass is left to the agent's own permissions. @throws {Error} where it cannot be judged */
export async function judgedAlone(call: HostCall, request: HookRequest): Promise<HostAnswer> {
  const { workFolder, homeFolder, configuration } = request
  const ownPlaces = placesOf(untouchableFor(request), workFolder, homeFolder)
  const prepared = await prepareAct(call, { workFolder, ownPlaces })
  if (prepared.kind === 'invalid') return { kind: 'refuse', reason: prepared.reason }
  const gate = await pinnedGate(call, request, ownPlaces)
  const { tool, args, act } = call
  const { summary, action } = prepared
  const question = { tool, effect: effectOf(act), args, summary, ...(action === undefined ? {} : { action }) }
  const { kind, reason } = await gate.check(question)
  if (kind === 'forbidden') return { kind: 'refuse', reason }
  if (kind === 'prompt' && configuration.onGatePrompt === 'ask') return { kind: 'ask', reason }
  return { kind: 'pass' }
}

async function pinnedGate(
  { act }: HostCall,
  request: HookRequest,
  ownPlaces: readonly string[],
): Promise<Gate> {
  try {
    return await hookGate(request, ownPlaces, act.kind)
  } catch (error) {
    if (!(error instanceof NeedsMore)) throw error
    const { configuration, rideFile } = request
    return hookGate(request, ownPlaces, act.kind, parseConfig(configuration.config, rideFile))
  }
}
