/** What the gate and the hooks said of a call, as it is kept. */
import { z } from 'zod'
import { sandboxDrivers, type Recorded } from '../../base/index.ts'
import { gateKinds, hookEffects, hookPoints, refusalLabels } from '../gate/index.ts'
import { fact } from './fact.ts'

const text = z.string()
const count = z.number().int().nonnegative()
const gateKind = z.enum(gateKinds)

export const refusalLabel = z.enum(refusalLabels)

/** One rule that matched a part of a command. */
export type RuleMatch = Recorded<typeof ruleMatch>
const ruleMatch = z.object({
  /** Such as `prefix_rule git push` or `built-in: recursive removal`. */
  rule: text,
  decision: gateKind,
  /** Where the rule stands, such as `user rules default.rules:12` or `built-in`. */
  source: text,
  /** The words that it matched. */
  words: z.array(text),
  /** Where they stand in the command line, in UTF-16 units; null: in no literal place of it. */
  span: z.tuple([count, count]).nullable(),
  justification: text.exactOptional(),
})

/** Told where there is something to tell: a rule matched, or the call was not simply allowed. */
export const gateDecided = fact('gate-decided', {
  callId: text,
  decision: gateKind,
  reason: text,
  label: refusalLabel.exactOptional(),
  matches: z.array(ruleMatch),
  /** The policy is only watched: what it would have decided. */
  shadow: gateKind.exactOptional(),
})

/** One hook ran on one occasion; `durationMs` of the event says how long. */
export const hookRan = fact('hook-ran', {
  hook: text,
  point: z.enum(hookPoints),
  /** 1 for the first hook of this occasion. */
  order: z.number().int().positive(),
  effect: z.enum(hookEffects),
  callId: text.exactOptional(),
  /** What it decided and why, or how it failed. */
  note: text.exactOptional(),
  /** For the drive: before its reply where the point is `before_turn` or `run_started`, else with the next feedback. */
  told: text.exactOptional(),
})

export type SandboxDescription = Recorded<typeof sandboxDescription>
export const sandboxDescription = z.object({
  driver: z.enum(sandboxDrivers),
  /** False: nothing is confined; said loudly at the start. */
  isConfined: z.boolean(),
  network: z.enum(['off', 'on']),
  /** One sentence, for people: what it confines, or why nothing is. */
  summary: text,
})
