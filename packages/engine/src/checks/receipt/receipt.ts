/** What was checked and with what result: an in-toto Statement v1. Proves integrity, not authorship. */
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

/** Final tree; the final answer if a check read it or there is no tree. */
const subject = z.strictObject({
  name: text,
  /** `sha256` of tree or answer, `gitCommit`, `gitTree`, or a custom `donecheckFingerprint`. */
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

/** Without the folder, which is a path of one machine. */
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
  /** Fingerprint of the checked tree; null without one. */
  fingerprint: text.nullable(),
  /** Checked tree, if not the work folder alone. */
  tree: z.enum(verdictTrees).exactOptional(),
  /** Whether it checked the subject: false if the tree changed later, or for the restored tree alone. */
  sameTree: z.boolean(),
  commands: list(command),
  tests: list(z.strictObject({ format: text, counts })),
  files: list(z.strictObject({ path: text, digest: text.nullable(), bytes: count })),
  measures: list(z.strictObject({ name: text, value: z.number(), bound: z.number().exactOptional() })),
  /** Sequence number of the full event. */
  sequence: count,
  at: text,
  /** SHA-256 of the canonical JSON of the full verdict. */
  digest: sha256,
})

const check = z.strictObject({
  name: text,
  role: z.enum(verifierRoles),
  required: z.boolean(),
  weight: z.number(),
  deterministic: z.boolean(),
  /** Status on the baseline tree; null if it did not run there. */
  baseline: status.nullable(),
  /** Null if it never ran. */
  verdict: verdict.nullable(),
})

/** `check` names the verifier that found it. */
const finding = z.strictObject({
  check: text,
  rule: text,
  response: z.enum(guardResponses),
  message: text,
  path: text.exactOptional(),
  line: count.exactOptional(),
  waiver: z.strictObject({ by: text, until: text, reason: text }).exactOptional(),
})

/** An approved change of check files; `check` names the verifier that relies on it. */
const authority = z.strictObject({ check: text, paths: list(text), by: text, reason: text })

const share = z.strictObject({ passed: count, total: count })

const predicate = z.strictObject({
  runId: text,
  taskDigest: sha256,
  end,
  /** The record was imported, so the receipt's author observed nothing. */
  imported: z.literal(true).exactOptional(),
  policy: z.strictObject({ name: text, completeWhen: text }),
  /** In configured order. */
  checks: list(check),
  findings: list(finding),
  authority: list(authority),
  /** Null without held-out checks. */
  heldOut: z.strictObject({ shown: share, heldOut: share, gap: z.number().nullable() }).nullable(),
  /** ISO 8601 in UTC, of the first and last event. */
  times: z.strictObject({ startedAt: text, endedAt: text }),
  /** Version that started the run; versions of donecheck and Node that wrote the receipt. */
  versions: z.strictObject({ donecheck: text, receipt: text, node: text, eventSchema: count }),
  chain: z.strictObject({ algorithm: text, head: sha256, length: count }),
  /** SHA-256 of the canonical JSON of the statement without this field. */
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
  /** `what`: location in the statement, such as `predicate.checks.0.name`. */
  | {
      readonly kind: 'invalid'
      readonly problems: readonly { readonly what: string; readonly problem: string }[]
    }

/** ISO 8601 in UTC; `unknown` for an invalid time. */
export function isoTime(ms: number): string {
  const time = new Date(ms)
  return Number.isNaN(time.getTime()) ? 'unknown' : time.toISOString()
}

/** Never throws: the file may contain anything. */
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
