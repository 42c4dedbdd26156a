/** `before_tool_call`: the most severe decision holds; arguments are changed one after the other. */
import { z } from 'zod'
import { canonicalJson, type JsonValue } from '../../events/index.ts'
import { gateKinds, gateSeverity } from '../../gate-kinds.ts'
import { bounded } from '../show-thrown.ts'
import { longestText, type Effect, type PointRules } from './point-rules.ts'
import { fieldReader, json } from './read-fields.ts'

const effects = { allow: 'allowed', prompt: 'asked', forbidden: 'denied' } as const

const result = z.strictObject({
  decision: z.enum(gateKinds).exactOptional(),
  reason: z.string().exactOptional(),
  args: json.exactOptional(),
})

export const toolCallRules: PointRules<'before_tool_call'> = {
  nothing: {},
  read: fieldReader(result),

  effectOf({ decision, reason, args }, seen) {
    const changed = args !== undefined && canonicalJson(args) !== canonicalJson(seen.args)
    const notes = [
      ...(reason === undefined || reason.trim() === '' ? [] : [reason]),
      ...(changed ? [changeOf(seen.args, args)] : []),
    ]
    const note: Partial<Effect> = notes.length === 0 ? {} : { note: bounded(notes.join('; ')) }
    if (changed && (decision === undefined || decision === 'allow')) return { effect: 'rewrote', ...note }
    return { effect: decision === undefined ? 'none' : effects[decision], ...note }
  },

  merge(merged, { decision, reason, args }, hook) {
    const kept = args === undefined ? merged : { ...merged, args }
    if (decision === undefined) return kept
    const before = merged.decision === undefined ? -1 : gateSeverity[merged.decision]
    if (gateSeverity[decision] < before) return kept
    const said = reason === undefined || reason.trim() === '' ? 'no reason given' : reason
    const own = bounded(`hook ${hook}: ${said}`, longestText)
    const isEqual = gateSeverity[decision] === before && merged.reason !== undefined
    return { ...kept, decision, reason: isEqual ? `${merged.reason}; ${own}` : own }
  },

  refuse: (merged, refusal) => ({ ...merged, decision: 'forbidden', reason: refusal }),
  after: (input, { args }) => (args === undefined ? input : { ...input, args }),
  isDecided: ({ decision }) => decision === 'forbidden',
}

/** Which arguments were changed, without their values. */
function changeOf(before: JsonValue, after: JsonValue): string {
  const [old, fresh] = [fieldsOf(before), fieldsOf(after)]
  if (old === undefined || fresh === undefined) return 'arguments changed'
  const names = [...new Set([...old.keys(), ...fresh.keys()])]
  const changed = names.filter((name) => canonicalJson(old.get(name)) !== canonicalJson(fresh.get(name)))
  return `arguments changed: ${changed.join(', ')}`
}

function fieldsOf(value: JsonValue): ReadonlyMap<string, JsonValue> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Map(Object.entries(value))
}
