/** unknown → receipt, at the door: whoever brings a file may have written anything into it. */
import { z } from 'zod'
import { predicateType, statementType, type Receipt } from './receipt.ts'

export type ParsedReceipt =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  | { readonly kind: 'invalid'; readonly problems: readonly ReceiptProblem[] }

export interface ReceiptProblem {
  /** Place in the statement, such as `predicate.checks.0.name`. */
  readonly what: string
  readonly problem: string
}

const text = z.string()
const count = z.number().int().nonnegative()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'no SHA-256 in hex')
const status = z.enum(['passed', 'failed', 'error', 'skipped', 'pending'])
const capName = z.enum(['iterations', 'model_calls', 'tool_calls', 'tokens', 'cost', 'wall_clock'])

const end = z.object({
  outcome: z.enum(['verified', 'failed', 'exhausted', 'unverified', 'blocked', 'interrupted', 'error']),
  reason: z.enum([
    'task_complete',
    'verifier_failed_unrecoverable',
    'hard_cap',
    'diminishing',
    'loop_detected',
    'stagnated',
    'model_ended',
    'blocked',
    'awaiting_approval',
    'permission_denied',
    'user_interrupt',
    'error',
  ]),
  message: text,
  cap: capName.exactOptional(),
  atCap: capName.exactOptional(),
  detector: text.exactOptional(),
  lastCheck: z.enum(['run', 'switched-off', 'nothing-to-check']).exactOptional(),
})

const command = z.object({
  command: text,
  exitCode: z.number().int().nullable(),
  signal: text.nullable(),
  timedOut: z.boolean(),
  outputBytes: count,
  outputDigest: text,
  environmentDigest: text,
})

const counts = z.object({ passed: count, failed: count, errored: count, skipped: count, total: count })

const verdict = z.object({
  status,
  reason: text,
  qualifiers: z.array(
    z.enum([
      'flaky',
      'pre-existing',
      'infrastructure',
      'tampered',
      'unverifiable',
      'cached',
      'shadow',
      'waived',
    ]),
  ),
  score: z.number().min(0).max(1).exactOptional(),
  durationMs: z.number().nonnegative(),
  fingerprint: text.nullable(),
  tree: z.enum(['clean-copy', 'independent-tree', 'both-trees']).exactOptional(),
  sameTree: z.boolean(),
  commands: z.array(command),
  tests: z.array(z.object({ format: text, counts })),
  files: z.array(z.object({ path: text, digest: text.nullable(), bytes: count })),
  measures: z.array(z.object({ name: text, value: z.number(), bound: z.number().exactOptional() })),
  sequence: count,
  at: text,
  digest: sha256,
})

const check = z.object({
  name: text,
  role: z.enum(['check', 'held-out', 'probe', 'guard']),
  required: z.boolean(),
  weight: z.number(),
  deterministic: z.boolean(),
  baseline: status.nullable(),
  verdict: verdict.nullable(),
})

const finding = z.object({
  check: text,
  rule: text,
  response: z.enum(['refuse', 'restore', 'ask', 'note']),
  message: text,
  path: text.exactOptional(),
  line: count.exactOptional(),
  waiver: z.object({ by: text, until: text, reason: text }).exactOptional(),
})

const authority = z.object({ check: text, paths: z.array(text), by: text, reason: text })

const share = z.object({ passed: count, total: count })

const subject = z.object({
  name: text,
  digest: z.record(text, text),
  annotations: z.object({ donecheck: z.enum(['tree', 'answer']) }),
})

const schema: z.ZodType<Receipt> = z.object({
  _type: z.literal(statementType),
  subject: z.array(subject).min(1),
  predicateType: z.literal(predicateType),
  predicate: z.object({
    runId: text,
    taskDigest: sha256,
    end,
    imported: z.literal(true).exactOptional(),
    policy: z.object({ name: text, completeWhen: text }),
    checks: z.array(check),
    findings: z.array(finding),
    authority: z.array(authority),
    heldOut: z.object({ shown: share, heldOut: share, gap: z.number().nullable() }).nullable(),
    times: z.object({ startedAt: text, endedAt: text }),
    versions: z.object({ donecheck: text, receipt: text, node: text, eventSchema: count }),
    chain: z.object({
      algorithm: text,
      head: sha256,
      length: count,
      checkpoints: z.array(z.object({ sequence: count, link: sha256 })),
    }),
    digest: sha256,
  }),
})

/** Never throws. */
export function parseReceipt(unknown: unknown): ParsedReceipt {
  try {
    const result = schema.safeParse(unknown)
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
