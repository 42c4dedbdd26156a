/**
 * The record of what was checked, on which tree, with what result: an in-toto Statement v1, rebuilt from the events
 * by `verify-receipt.ts`. Digest and chain prove integrity, not authorship: sign the statement if that matters.
 */
import { z } from 'zod'
import {
  guardResponses,
  verdictQualifiers,
  verdictStatuses,
  verdictTrees,
} from '@donecheck/core/internal/events/verdicts'
import { lastChecks, outcomes, stopReasons } from '@donecheck/core/internal/events/transitions'
import { verifierRoles } from '@donecheck/core/internal/events/settings'
import { capNames } from '@donecheck/core/internal/budgets'

export const statementType = 'https://in-toto.io/Statement/v1'
export const predicateType = 'https://donecheck.dev/receipt/v1'

const text = z.string()
const count = z.number().int().nonnegative()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'no SHA-256 in hex')
const status = z.enum(verdictStatuses)
const capName = z.enum(capNames)

function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly()
}

/** The tree as the run left it; the final answer, where a check read it or there was no tree. */
const subject = z.strictObject({
  /** Name of the folder without its path, or `answer`. */
  name: text,
  /**
   * `sha256` of the tree or of the answer's text; `gitCommit` and `gitTree` as given; `donecheckFingerprint` if a
   * custom workspace uses another form.
   */
  digest: z.record(text, text),
  annotations: z.strictObject({ donecheck: z.enum(['tree', 'answer']) }),
})

const end = z.strictObject({
  outcome: z.enum(outcomes),
  reason: z.enum(stopReasons),
  message: text,
  cap: capName.exactOptional(),
  atCap: capName.exactOptional(),
  detector: text.exactOptional(),
  lastCheck: z.enum(lastChecks).exactOptional(),
})

/** The folder is left out: it is a path of one machine. */
const command = z.strictObject({
  command: text,
  exitCode: z.number().int().nullable(),
  signal: text.nullable(),
  timedOut: z.boolean(),
  outputBytes: count,
  outputDigest: text,
  environmentDigest: text,
})

const counts = z.strictObject({ passed: count, failed: count, errored: count, skipped: count, total: count })

const verdict = z.strictObject({
  status,
  reason: text,
  qualifiers: list(z.enum(verdictQualifiers)),
  score: z.number().min(0).max(1).exactOptional(),
  durationMs: z.number().nonnegative(),
  /** Of the tree that it looked at; null: there was none. */
  fingerprint: text.nullable(),
  /** Where it looked, where that was not the work folder alone. */
  tree: z.enum(verdictTrees).exactOptional(),
  /**
   * Whether it looked at the subject. False if the tree changed afterwards, or if it looked at the independent tree
   * alone.
   */
  sameTree: z.boolean(),
  commands: list(command),
  tests: list(z.strictObject({ format: text, counts })),
  files: list(z.strictObject({ path: text, digest: text.nullable(), bytes: count })),
  measures: list(z.strictObject({ name: text, value: z.number(), bound: z.number().exactOptional() })),
  /** The event that holds all of it. */
  sequence: count,
  at: text,
  /** Over the canonical JSON of the whole verdict, notes and quotes included. */
  digest: sha256,
})

const check = z.strictObject({
  name: text,
  role: z.enum(verifierRoles),
  required: z.boolean(),
  weight: z.number(),
  deterministic: z.boolean(),
  /** What it said of the baseline tree; null: it was not asked. */
  baseline: status.nullable(),
  /** Null: it was never asked. */
  verdict: verdict.nullable(),
})

/** `check` is the name of the verifier that found it. */
const finding = z.strictObject({
  check: text,
  rule: text,
  response: z.enum(guardResponses),
  message: text,
  path: text.exactOptional(),
  line: count.exactOptional(),
  waiver: z.strictObject({ by: text, until: text, reason: text }).exactOptional(),
})

/** A change of the check side that was allowed by name; `check` is the verifier whose verdict rests on it. */
const authority = z.strictObject({ check: text, paths: list(text), by: text, reason: text })

const share = z.strictObject({ passed: count, total: count })

const predicate = z.strictObject({
  runId: text,
  taskDigest: sha256,
  end,
  /** The record was brought from elsewhere: whoever wrote this receipt has observed nothing of it. */
  imported: z.literal(true).exactOptional(),
  policy: z.strictObject({ name: text, completeWhen: text }),
  /** In the order of the run's settings. */
  checks: list(check),
  findings: list(finding),
  authority: list(authority),
  /** Null: nothing was held out. */
  heldOut: z.strictObject({ shown: share, heldOut: share, gap: z.number().nullable() }).nullable(),
  /** ISO 8601, UTC, from the first and the last event. */
  times: z.strictObject({ startedAt: text, endedAt: text }),
  /** The donecheck that began the run; the donecheck and the Node that wrote the receipt, in their own words. */
  versions: z.strictObject({ donecheck: text, receipt: text, node: text, eventSchema: count }),
  chain: z.strictObject({ algorithm: text, head: sha256, length: count }),
  /** Over the canonical JSON of the whole statement without this field. */
  digest: sha256,
})

const statement = z.strictObject({
  _type: z.literal(statementType),
  subject: z.array(subject).min(1).readonly(),
  predicateType: z.literal(predicateType),
  predicate,
})

export type Receipt = z.output<typeof statement>
export type ReceiptSubject = z.output<typeof subject>
export type ReceiptPredicate = z.output<typeof predicate>
export type ReceiptEnd = z.output<typeof end>
export type CheckedVerifier = z.output<typeof check>
export type CheckedVerdict = z.output<typeof verdict>
export type CheckedCommand = z.output<typeof command>
export type ReceiptFinding = z.output<typeof finding>
export type ReceiptAuthority = z.output<typeof authority>

type ParsedReceipt =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  /** `what`: the place in the statement, such as `predicate.checks.0.name`. */
  | {
      readonly kind: 'invalid'
      readonly problems: readonly { readonly what: string; readonly problem: string }[]
    }

/** As times stand in it: ISO 8601 in UTC; `unknown` for a number that is no time. */
export function isoTime(ms: number): string {
  const time = new Date(ms)
  return Number.isNaN(time.getTime()) ? 'unknown' : time.toISOString()
}

/** Whoever brings a file may have written anything into it. Never throws. */
export function parseReceipt(unknown: unknown): ParsedReceipt {
  try {
    const result = statement.safeParse(unknown)
    if (result.success) return { kind: 'receipt', receipt: result.data }
    const problems = result.error.issues.map(({ path, message }) => ({
      what: path.length === 0 ? 'receipt' : path.map(String).join('.'),
      problem: message,
    }))
    return { kind: 'invalid', problems }
  } catch {
    return { kind: 'invalid', problems: [{ what: 'receipt', problem: 'it cannot be looked at' }] }
  }
}
