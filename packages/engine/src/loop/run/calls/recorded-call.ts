import type { JsonValue, ToolCall } from '@donecheck/core/events'
import { maskValue } from '@donecheck/core/secrets'
import type { ProposedCall } from '../../../ports/loop.ts'
import { identityOfCall } from './call-identity.ts'
import { digestOf } from './canonical-digest.ts'
import type { Session } from '../session/session.ts'

/** A proposed call as it is recorded. The session keeps its arguments as they were given. */
export function recordedCall(proposed: ProposedCall, session: Session): ToolCall {
  const call = shallow(proposed)
  session.keepArguments(call.callId, call.args)
  const identity = identityOfCall(call, session.state, session.secrets)
  return {
    ...call,
    argsDigest: digestOf(maskValue(call.args, session.secrets)),
    ...(identity === undefined ? {} : { identity }),
  }
}

/** Arguments that are nested more deeply are refused before anything walks through them. */
const maxArgumentsDepth = 64

export function shallow(call: ProposedCall): ProposedCall {
  if (depthWithin(call.args, maxArgumentsDepth)) return call
  return { ...call, args: '', malformed: `nested more than ${maxArgumentsDepth} levels deep` }
}

function depthWithin(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((entry: JsonValue) => depthWithin(entry, levels - 1))
}
