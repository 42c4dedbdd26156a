/** The shape of a stored verdict. */
import { z } from 'zod'
import {
  guardResponses,
  judgeAnswerKinds,
  verdictQualifiers,
  verdictStatuses,
  verdictTrees,
  type VerdictTree,
} from '../verdicts/index.ts'

const text = z.string()
const count = z.number().int().nonnegative()
export const verdictStatus = z.enum(verdictStatuses)

const excerpt = z.object({ head: text, tail: text, totalBytes: count, omittedBytes: count, digest: text })

const line = z.number().int().positive()

const testCase = z.object({
  name: text,
  file: text.exactOptional(),
  line: line.exactOptional(),
  message: text.exactOptional(),
})

export const judgeEvidence = z.object({
  kind: z.literal('judge'),
  judge: text,
  family: text.exactOptional(),
  identity: text.exactOptional(),
  said: z.enum(judgeAnswerKinds),
  reason: text,
  category: text.exactOptional(),
  score: z.number().min(0).max(1).exactOptional(),
  quotes: z.array(z.object({ text, source: text.exactOptional() })),
  seed: z.number().int().exactOptional(),
  tokens: count.exactOptional(),
  costUsd: z.number().nonnegative().nullable(),
})

const evidence = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    command: text,
    folder: text,
    exitCode: z.number().int().nullable(),
    signal: text.nullable(),
    timedOut: z.boolean(),
    output: excerpt,
    environmentDigest: text,
  }),
  z.object({ kind: z.literal('note'), text }),
  z.object({
    kind: z.literal('tests'),
    format: text,
    counts: z.object({ passed: count, failed: count, errored: count, skipped: count, total: count }),
    failed: z.array(testCase),
    skipped: z.array(text),
    executedDigests: z.array(text).exactOptional(),
  }),
  z.object({ kind: z.literal('file'), path: text, digest: text.nullable(), bytes: count }),
  z.object({
    kind: z.literal('measure'),
    name: text,
    value: z.number(),
    bound: z.number().exactOptional(),
  }),
  z.object({
    kind: z.literal('finding'),
    rule: text,
    response: z.enum(guardResponses),
    message: text,
    why: text,
    path: text.exactOptional(),
    line: line.exactOptional(),
    waiver: z.object({ by: text, until: text, reason: text }).exactOptional(),
  }),
  judgeEvidence,
  z.object({ kind: z.literal('authority'), paths: z.array(text), by: text, reason: text }),
])

/** A copy with the earlier checks put back is what the independent tree was called before. */
export const verdictTree = z
  .enum([...verdictTrees, 'restored-copy'])
  .transform((tree): VerdictTree => (tree === 'restored-copy' ? 'independent-tree' : tree))

const qualifier = z.enum(verdictQualifiers)

export const verdict = z.object({
  verifier: text,
  status: verdictStatus,
  reason: text,
  canRetry: z.boolean(),
  score: z.number().min(0).max(1).exactOptional(),
  qualifiers: z.array(qualifier),
  evidence: z.array(evidence),
  durationMs: z.number().nonnegative(),
  costUsd: z.number().exactOptional(),
  fingerprint: text.exactOptional(),
  tree: verdictTree.exactOptional(),
})
