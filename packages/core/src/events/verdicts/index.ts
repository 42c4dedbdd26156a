import { z } from 'zod'
import type { Recorded } from '../../base/index.ts'
import {
  guardResponses,
  judgeAnswerKinds,
  verdictQualifiers,
  verdictStatuses,
  verdictTrees,
} from './words.ts'

export {
  guardResponses,
  judgeAnswerKinds,
  judgeCategories,
  verdictQualifiers,
  verdictStatuses,
  verdictTrees,
} from './words.ts'
export type { GuardResponse, VerdictQualifier, VerdictStatus, VerdictTree } from './words.ts'

const text = z.string()
const count = z.number().int().nonnegative()
const line = z.number().int().positive()
const share = z.number().min(0).max(1)

export type OutputExcerpt = Recorded<typeof excerpt>
const excerpt = z.object({
  head: text,
  tail: text,
  totalBytes: count,
  /** Bytes left out between head and tail; 0 if head is the full text. */
  omittedBytes: count,
  digest: text,
})

export type CommandEvidence = Recorded<typeof commandEvidence>
const commandEvidence = z.object({
  kind: z.literal('command'),
  command: text,
  folder: text,
  exitCode: z.number().int().nullable(),
  signal: text.nullable(),
  timedOut: z.boolean(),
  output: excerpt,
  /** Hex SHA-256 of the sorted environment (names and values); the values are not stored. */
  environmentDigest: text,
})

const noteEvidence = z.object({ kind: z.literal('note'), text })

/** `total` is the sum of the others. Executed tests are the passed, failed and errored ones. */
export type TestCounts = Recorded<typeof testCounts>
const testCounts = z.object({
  passed: count,
  failed: count,
  /** Produced no result: a crash, or a file that cannot be loaded. */
  errored: count,
  skipped: count,
  total: count,
})

export type TestCase = Recorded<typeof testCase>
const testCase = z.object({
  /** Suites and title, joined by ` > `. */
  name: text,
  /** Relative to the check's folder. */
  file: text.exactOptional(),
  line: line.exactOptional(),
  message: text.exactOptional(),
})

export type TestsEvidence = Recorded<typeof testsEvidence>
const testsEvidence = z.object({
  kind: z.literal('tests'),
  /** Such as `junit` or `vitest-json`; `text` if parsed from the runner's output. */
  format: text,
  counts: testCounts,
  /** Failed or errored, at most 1,000. */
  failed: z.array(testCase),
  /** Names, at most 1,000. */
  skipped: z.array(text),
  /** First 12 hex digits of the SHA-256 of each executed test's name; only on the baseline tree. */
  executedDigests: z.array(text).exactOptional(),
  /** Files of the executed tests, at most 1,000. Only on the baseline tree. */
  files: z.array(text).exactOptional(),
})

export type FileEvidence = Recorded<typeof fileEvidence>
const fileEvidence = z.object({
  kind: z.literal('file'),
  /** Relative to the check's folder. */
  path: text,
  /** Hex SHA-256 of the content; null if the file does not exist. */
  digest: text.nullable(),
  bytes: count,
})

/** A number compared with a limit, such as a similarity or a ratio of killed mutants. */
export type MeasureEvidence = Recorded<typeof measureEvidence>
const measureEvidence = z.object({
  kind: z.literal('measure'),
  name: text,
  value: z.number(),
  bound: z.number().exactOptional(),
})

/** Who accepted a failure, until when, and why. */
export type Waiver = Recorded<typeof waiver>
/** `until`: the last valid day, `YYYY-MM-DD`. */
const waiver = z.object({ by: text, until: text, reason: text })

export type FindingEvidence = Recorded<typeof findingEvidence>
const findingEvidence = z.object({
  kind: z.literal('finding'),
  rule: text,
  response: z.enum(guardResponses),
  message: text,
  why: text,
  /** Relative to the work folder. */
  path: text.exactOptional(),
  line: line.exactOptional(),
  waiver: waiver.exactOptional(),
})

/** Changes of check files that were approved by name; without approval the verdict would not hold. */
export type AuthorityEvidence = Recorded<typeof authorityEvidence>
const authorityEvidence = z.object({
  kind: z.literal('authority'),
  /** Relative to the work folder, or the name of an approved thing that is not a file in it. */
  paths: z.array(text),
  /** A person, or the flag or waiver. */
  by: text,
  reason: text,
})

export type JudgeQuote = Recorded<typeof judgeQuote>
/** `source`: an event id or a path in the work folder; absent for the answer. */
const judgeQuote = z.object({ text, source: text.exactOptional() })

/** The verdict of one judge; a panel has several. */
export type JudgeEvidence = Recorded<typeof judgeEvidence>
export const judgeEvidence = z.object({
  kind: z.literal('judge'),
  /** For display, such as a model's name. */
  judge: text,
  family: text.exactOptional(),
  identity: text.exactOptional(),
  said: z.enum(judgeAnswerKinds),
  reason: text,
  /** One of `judgeCategories`, or one declared by the user. */
  category: text.exactOptional(),
  score: share.exactOptional(),
  quotes: z.array(judgeQuote),
  /** The seed that shuffled the choices in its prompt. */
  /** Sum of all attempts; absent if none were used or unknown. */
  tokens: count.exactOptional(),
  /** Null if the price is unknown. */
  costUsd: z.number().nonnegative().nullable(),
})

export type Evidence = Recorded<typeof evidence>
const evidence = z.discriminatedUnion('kind', [
  commandEvidence,
  noteEvidence,
  testsEvidence,
  fileEvidence,
  measureEvidence,
  findingEvidence,
  judgeEvidence,
  authorityEvidence,
])

export const verdictStatus = z.enum(verdictStatuses)

export type Verdict = Recorded<typeof verdict>
export const verdict = z.object({
  verifier: text,
  status: verdictStatus,
  /** One sentence for people and the model. */
  reason: text,
  /** False: no further turn can fix it. */
  canRetry: z.boolean(),
  score: share.exactOptional(),
  qualifiers: z.array(z.enum(verdictQualifiers)),
  evidence: z.array(evidence),
  durationMs: z.number().nonnegative(),
  costUsd: z.number().exactOptional(),
  fingerprint: text.exactOptional(),
  tree: z.enum(verdictTrees).exactOptional(),
})
