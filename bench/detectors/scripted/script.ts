/** Runs written by hand for the tests of detectors: from a list of calls to the steps that a detector sees. */
import { createHash } from 'node:crypto'
import type { JsonValue } from '@donecheck/core/events'
import { canonicalJson } from '@donecheck/core/base'
import type { Detector, Step } from '../detector.ts'

export interface ScriptedCall {
  readonly tool?: string
  readonly args?: JsonValue
  /** Null: unknown. */
  readonly result?: string | null
  readonly isError?: boolean | null
  /** Text of the reply that asks for the call. */
  readonly text?: string
  /** The call belongs to the turn of the call before it: a batch. */
  readonly inBatch?: boolean
}

export type ScriptedStep = ScriptedCall | { readonly reply: string } | { readonly message: string }

/** A call whose tool, arguments and result are made of the name alone, so that equal names are equal calls. */
export function named(name: string): ScriptedCall {
  return { tool: `tool_${name}`, args: { call: name }, result: `result of ${name}` }
}

/** `times` rounds of the same steps. */
export function rounds(times: number, steps: readonly ScriptedStep[]): ScriptedStep[] {
  return Array.from({ length: times }, () => steps).flat()
}

/** Each call has a turn of its own, but for those in a batch. */
export function stepsOf(script: readonly ScriptedStep[]): Step[] {
  const steps: Step[] = []
  let turn = -1
  let index = 0
  for (const scripted of script) {
    if ('message' in scripted) {
      steps.push({ kind: 'message', turn, text: scripted.message })
    } else if ('reply' in scripted) {
      turn += 1
      steps.push({ kind: 'reply', turn, text: scripted.reply, calls: 0 })
    } else {
      if (scripted.inBatch !== true) {
        turn += 1
        steps.push({ kind: 'reply', turn, text: scripted.text ?? '', calls: 1 })
      }
      steps.push(callStep(scripted, index, turn))
      index += 1
    }
  }
  return steps
}

function callStep(call: ScriptedCall, index: number, turn: number): Step {
  const { tool = 'probe', args = {}, result = 'ok', isError = false } = call
  const resultDigest = result === null ? null : digestOf(result)
  return { kind: 'call', index, turn, tool, args, argsDigest: digestOf(args), result, resultDigest, isError }
}

/** As the recorded runs have it: first 16 hex digits of SHA-256 over the canonical JSON. */
export function digestOf(value: JsonValue): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16)
}

/** What first reached each level: calls, and replies that ask for none, counted together from 1. The text before a call counts with the call before. */
export interface FirstAlarms {
  readonly warn?: number
  readonly refuse?: number
  readonly stop?: number
}

export function firstAlarms(detector: Detector, script: readonly ScriptedStep[]): FirstAlarms {
  const watch = detector.begin()
  const found: { warn?: number; refuse?: number; stop?: number } = {}
  let count = 0
  for (const step of stepsOf(script)) {
    if (step.kind === 'call' || (step.kind === 'reply' && step.calls === 0)) count += 1
    const alarm = watch.observe(step)
    if (alarm !== undefined) found[alarm.level] ??= count
  }
  return found
}
