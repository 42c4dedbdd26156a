/** What hooks may answer, and how answers are merged. */
import { canonicalJson } from '@donecheck/core/internal/base'
import type { JsonValue } from '@donecheck/core/internal/events'
import {
  gateKinds,
  gateSeverity,
  type GateKind,
  type HookEffect,
  type HookPoint,
} from '@donecheck/core/internal/events/gate'
import { z } from 'zod'
import { given } from '../../base/index.ts'
import type { HookInputs, HookResults } from '../../ports/callbacks.ts'
import { boundText, isPlain, showValue } from './registration.ts'

export interface AnyAnswer {
  readonly message?: string
  readonly decision?: GateKind
  readonly reason?: string
  readonly args?: JsonValue
  readonly output?: string
  readonly veto?: string
}

const nothing = z.strictObject({})
const message = z.strictObject({ message: z.string().exactOptional() })
const veto = z.strictObject({
  veto: z
    .string()
    .refine((text) => isSaid(text), 'it is empty: say why, or leave it out')
    .exactOptional(),
})

const answers: { readonly [Point in HookPoint]: z.ZodType<HookResults[Point]> } = {
  run_started: message,
  before_turn: message,
  before_tool_call: z.strictObject({
    decision: z.enum(gateKinds).exactOptional(),
    reason: z.string().exactOptional(),
    args: z.json().exactOptional(),
  }),
  after_tool_call: message,
  tool_result_persist: z.strictObject({ output: z.string().exactOptional() }),
  after_turn: message,
  before_verification: nothing,
  after_verification: veto,
  before_finalize: veto,
  on_transition: nothing,
  on_error: nothing,
  run_ended: nothing,
}

/** Nothing is an empty answer; unknown fields are errors. @throws {TypeError} or what a getter throws */
export function readAnswer<Point extends HookPoint>(point: Point, value: unknown): HookResults[Point] {
  if (value !== undefined && !isPlain(value))
    throw new TypeError(`it answered with ${showValue(value)} and not with an object or nothing`)
  const parsed = answers[point].safeParse(given(value ?? {}))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw new TypeError(`its answer cannot be used: ${place}${issue?.message ?? 'not understood'}`)
}

export interface Effect {
  readonly effect: HookEffect
  readonly note?: string
  readonly told?: string
}

const effects = { allow: 'allowed', prompt: 'asked', forbidden: 'denied' } as const

export function effectOf(answer: AnyAnswer, seen: HookInputs[HookPoint]): Effect {
  const { message: words, decision, reason, args, output, veto: vetoed } = answer
  if (vetoed !== undefined) return { effect: 'denied', note: boundText(vetoed) }
  if (isSaid(words)) return { effect: 'told', told: boundText(words, maxTextLength) }
  if (output !== undefined && 'output' in seen && output !== seen.output)
    return { effect: 'rewrote', note: `${seen.output.length} → ${output.length} characters` }
  const isChanged = args !== undefined && 'args' in seen && canonicalJson(args) !== canonicalJson(seen.args)
  const notes = [...(isSaid(reason) ? [reason] : []), ...(isChanged ? [changeOf(seen.args, args)] : [])]
  const note = notes.length === 0 ? {} : { note: boundText(notes.join('; ')) }
  if (isChanged && (decision === undefined || decision === 'allow')) return { effect: 'rewrote', ...note }
  return { effect: decision === undefined ? 'none' : effects[decision], ...note }
}

/** Joins messages and vetoes, replaces rewrites, keeps the most severe decision. */
export function mergeAnswers(before: AnyAnswer, answer: AnyAnswer, hook: string): AnyAnswer {
  const { message: words, decision, reason, args, output, veto: vetoed } = answer
  const why = `hook ${hook}: ${isSaid(reason) ? reason : 'no reason given'}`
  return {
    ...before,
    ...given({ args, output }),
    ...(isSaid(words) ? { message: joined(before.message, '\n\n', words) } : {}),
    ...(vetoed === undefined ? {} : { veto: joined(before.veto, '\n', `hook ${hook}: ${vetoed}`) }),
    ...(decision === undefined ? {} : decided(before, decision, why)),
  }
}

function decided(before: AnyAnswer, decision: GateKind, why: string): AnyAnswer {
  const known = before.decision === undefined ? -1 : gateSeverity[before.decision]
  if (gateSeverity[decision] < known) return {}
  const isEqual = gateSeverity[decision] === known
  return { decision, reason: joined(isEqual ? before.reason : undefined, '; ', why) }
}

export function refuse(point: HookPoint, before: AnyAnswer, refusal: string): AnyAnswer {
  switch (point) {
    case 'before_tool_call':
      return { ...before, decision: 'forbidden', reason: refusal }
    case 'tool_result_persist':
      return { output: `[the output is withheld: ${refusal}]` }
    case 'after_verification':
    case 'before_finalize':
      return { veto: joined(before.veto, '\n', refusal) }
    default:
      return before
  }
}

const maxTextLength = 10_000

function joined(before: string | undefined, between: string, text: string): string {
  const own = boundText(text, maxTextLength)
  return before === undefined ? own : `${before}${between}${own}`
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== ''
}

function changeOf(before: JsonValue, after: JsonValue): string {
  if (!isPlain(before) || !isPlain(after)) return 'arguments changed'
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => canonicalJson(before[name]) !== canonicalJson(after[name]))
  return `arguments changed: ${changed.join(', ')}`
}
