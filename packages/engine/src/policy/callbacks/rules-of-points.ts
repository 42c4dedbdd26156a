/** What an answer of each point may say, and how the answers of several hooks become one. */
import { canonicalJson } from '@donecheck/core/base'
import type { JsonValue } from '@donecheck/core/events'
import { gateKinds, gateSeverity, type HookEffect, type HookPoint } from '@donecheck/core/gate'
import { z } from 'zod'
import { given } from '../../base/index.ts'
import type { HookInputs, HookResults } from '../../ports/callbacks.ts'
import { boundText, isPlain, showValue } from './registration.ts'

type Reading<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  /** Not what a hook of this point may answer. */
  | { readonly kind: 'wrong'; readonly problem: string }

/** What a hook did, for the trace. */
export interface Effect {
  readonly effect: HookEffect
  readonly note?: string
  readonly told?: string
}

export interface PointRules<Point extends HookPoint> {
  readonly nothing: HookResults[Point]
  /** @throws whatever a getter of the value throws */
  read(value: unknown): Reading<HookResults[Point]>
  /** @param seen what the hook was given */
  effectOf(result: HookResults[Point], seen: HookInputs[Point]): Effect
  /** The answer so far with one more. */
  merge(merged: HookResults[Point], result: HookResults[Point], hook: string): HookResults[Point]
  /** The answer so far with the refusal of a hook that fails closed. */
  refuse(merged: HookResults[Point], refusal: string): HookResults[Point]
  /** What the next hook is given. */
  after(input: HookInputs[Point], merged: HookResults[Point]): HookInputs[Point]
  /** No later hook is run. */
  isDecided(merged: HookResults[Point], refusal: string | undefined): boolean
}

/** Of a reason or a message that goes on to the drive, in characters. */
const maxTextLength = 10_000

/** A text that says something. */
const words = z.string().refine((text) => text.trim() !== '', 'it is empty: say why, or leave it out')

/**
 * Reads the fields that a point knows, each once. Nothing at all is an empty answer; a field that nobody knows is wrong, for it
 * was meant to do something.
 */
function fieldReader<Result>(schema: z.ZodType<Result>): (value: unknown) => Reading<Result> {
  return (value) => {
    const wrong = (problem: string) => ({ kind: 'wrong', problem }) as const
    if (value !== undefined && !isPlain(value))
      return wrong(`it answered with ${showValue(value)} and not with an object or nothing`)
    const parsed = schema.safeParse(given(value ?? {}))
    if (parsed.success) return { kind: 'result', result: parsed.data }
    const [issue] = parsed.error.issues
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
    return wrong(`its answer cannot be used: ${place}${issue?.message ?? 'not understood'}`)
  }
}

/** Of a point at which nothing can be refused, changed for the next hook, or decided before the last one. */
const onlyHeard = {
  refuse: <Merged>(merged: Merged) => merged,
  after: <Input>(input: Input) => input,
  isDecided: () => false,
}

/** Points at which something may be said to the drive: all messages in their order. */
function messageRules<
  Point extends 'run_started' | 'before_turn' | 'after_tool_call' | 'after_turn',
>(): PointRules<Point> {
  return {
    nothing: {},
    read: fieldReader(z.strictObject({ message: z.string().exactOptional() })),
    effectOf: ({ message }) => {
      const reported = messageIn(message)
      return reported === undefined ? { effect: 'none' } : { effect: 'told', told: reported }
    },
    merge: (merged, { message }) => {
      const reported = messageIn(message)
      if (reported === undefined) return merged
      return { message: merged.message === undefined ? reported : `${merged.message}\n\n${reported}` }
    },
    ...onlyHeard,
  }
}

function messageIn(message: string | undefined): string | undefined {
  return message === undefined || message.trim() === '' ? undefined : boundText(message, maxTextLength)
}

/** Points at which is only looked: any answer but none is a mistake. */
function observerRules<
  Point extends 'before_verification' | 'on_transition' | 'on_error' | 'run_ended',
>(): PointRules<Point> {
  return {
    nothing: {},
    read: fieldReader(z.strictObject({})),
    effectOf: () => ({ effect: 'none' }),
    merge: (merged) => merged,
    ...onlyHeard,
  }
}

/** `tool_result_persist`: each hook rewrites what the one before it gave. */
const outputRules: PointRules<'tool_result_persist'> = {
  nothing: {},
  read: fieldReader(z.strictObject({ output: z.string().exactOptional() })),
  effectOf({ output }, seen) {
    if (output === undefined || output === seen.output) return { effect: 'none' }
    return { effect: 'rewrote', note: `${seen.output.length} → ${output.length} characters` }
  },
  merge: (merged, result) => ({ ...merged, ...result }),
  refuse: (_, refusal) => ({ output: `[the output is withheld: ${refusal}]` }),
  after: (input, { output }) => (output === undefined ? input : { ...input, output }),
  isDecided: (_, refusal) => refusal !== undefined,
}

/** Points at which the work may be called not done, and never done: one veto is enough, and the reasons of all are told. */
function vetoRules<Point extends 'after_verification' | 'before_finalize'>(): PointRules<Point> {
  return {
    nothing: {},
    read: fieldReader(z.strictObject({ veto: words.exactOptional() })),
    effectOf: ({ veto }) =>
      veto === undefined ? { effect: 'none' } : { effect: 'denied', note: boundText(veto) },
    merge: (merged, { veto }, hook) =>
      veto === undefined ? merged : joinVetoes(merged.veto, `hook ${hook}: ${veto}`),
    ...onlyHeard,
    refuse: (merged, refusal) => joinVetoes(merged.veto, refusal),
  }
}

function joinVetoes(before: string | undefined, veto: string): { readonly veto: string } {
  const own = boundText(veto, maxTextLength)
  return { veto: before === undefined ? own : `${before}\n${own}` }
}

const effects = { allow: 'allowed', prompt: 'asked', forbidden: 'denied' } as const

const result = z.strictObject({
  decision: z.enum(gateKinds).exactOptional(),
  reason: z.string().exactOptional(),
  args: z.json().exactOptional(),
})

/** `before_tool_call`: the most severe decision holds; arguments are changed one after the other. */
const toolCallRules: PointRules<'before_tool_call'> = {
  nothing: {},
  read: fieldReader(result),

  effectOf({ decision, reason, args }, seen) {
    const changed = args !== undefined && canonicalJson(args) !== canonicalJson(seen.args)
    const notes = [
      ...(reason === undefined || reason.trim() === '' ? [] : [reason]),
      ...(changed ? [changeOf(seen.args, args)] : []),
    ]
    const note: Partial<Effect> = notes.length === 0 ? {} : { note: boundText(notes.join('; ')) }
    if (changed && (decision === undefined || decision === 'allow')) return { effect: 'rewrote', ...note }
    return { effect: decision === undefined ? 'none' : effects[decision], ...note }
  },

  merge(merged, { decision, reason, args }, hook) {
    const kept = args === undefined ? merged : { ...merged, args }
    if (decision === undefined) return kept
    const before = merged.decision === undefined ? -1 : gateSeverity[merged.decision]
    if (gateSeverity[decision] < before) return kept
    const said = reason === undefined || reason.trim() === '' ? 'no reason given' : reason
    const own = boundText(`hook ${hook}: ${said}`, maxTextLength)
    const isEqual = gateSeverity[decision] === before && merged.reason !== undefined
    return { ...kept, decision, reason: isEqual ? `${merged.reason}; ${own}` : own }
  },

  refuse: (merged, refusal) => ({ ...merged, decision: 'forbidden', reason: refusal }),
  after: (input, { args }) => (args === undefined ? input : { ...input, args }),
  isDecided: ({ decision }) => decision === 'forbidden',
}

/** Which arguments were changed, without their values. */
function changeOf(before: JsonValue, after: JsonValue): string {
  const [old, fresh] = [fieldMapOf(before), fieldMapOf(after)]
  if (old === undefined || fresh === undefined) return 'arguments changed'
  const names = [...new Set([...old.keys(), ...fresh.keys()])]
  const changed = names.filter((name) => canonicalJson(old.get(name)) !== canonicalJson(fresh.get(name)))
  return `arguments changed: ${changed.join(', ')}`
}

function fieldMapOf(value: JsonValue): ReadonlyMap<string, JsonValue> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Map(Object.entries(value))
}

/** What a result of each point may say, and how several are put together. */
export const rulesOfPoints: { readonly [Point in HookPoint]: PointRules<Point> } = {
  run_started: messageRules(),
  before_turn: messageRules(),
  before_tool_call: toolCallRules,
  after_tool_call: messageRules(),
  tool_result_persist: outputRules,
  after_turn: messageRules(),
  before_verification: observerRules(),
  after_verification: vetoRules(),
  before_finalize: vetoRules(),
  on_transition: observerRules(),
  on_error: observerRules(),
  run_ended: observerRules(),
}
