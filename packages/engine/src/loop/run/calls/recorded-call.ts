import type { JsonValue, ToolCall } from '@donecheck/core/events'
import { maskValue, type SecretValues } from '@donecheck/core/secrets'
import { given, isJsonList } from '../../../base/index.ts'
import type { ProposedCall } from '../../../ports/loop.ts'
import { digestOf } from './canonical-digest.ts'
import type { Session } from '../session/session.ts'
import { traitsOf, type RunState } from '@donecheck/core/state'
import { readCall } from '@donecheck/core/activity'

/** A proposed call as it is recorded. The session keeps its arguments as they were given. */
export function recordedCall(proposed: ProposedCall, session: Session): ToolCall {
  const call = shallow(proposed)
  session.keepArguments(call.callId, call.args)
  const { state, secrets } = session
  const argsDigest = digestOf(maskValue(call.args, secrets))
  return { ...call, argsDigest, ...given({ identity: identityOfCall(call, state, secrets) }) }
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

/**
 * Equal for calls that mean the same, whatever their marks of time; undefined where the arguments could not be read. Secrets
 * are masked first: the hash is recorded, and is no protection of what can be guessed.
 */
function identityOfCall(
  { tool, args, malformed }: ProposedCall,
  state: RunState,
  secrets: SecretValues,
): string | undefined {
  if (malformed !== undefined) return undefined
  const paths = traitsOf(state, tool)?.volatileArguments ?? []
  return readCall(maskValue(paths.reduce(withoutPath, args), secrets))
}

/** A key may have dots in it: it is looked for as it is before it is read as a path. */
function withoutPath(value: JsonValue, path: string): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (isJsonList(value)) return value.map((entry) => withoutPath(entry, path))
  if (Object.hasOwn(value, path)) return withoutKey(value, path)
  const dot = path.indexOf('.')
  const key = dot === -1 ? path : path.slice(0, dot)
  const inner = dot === -1 ? undefined : value[key]
  if (inner === undefined || !Object.hasOwn(value, key)) return value
  return { ...value, [key]: withoutPath(inner, path.slice(dot + 1)) }
}

function withoutKey(value: Readonly<Record<string, JsonValue>>, key: string): JsonValue {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
}
