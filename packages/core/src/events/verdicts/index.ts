/** What a check answered, and the evidence for it. */
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
/** From 1. */
const line = z.number().int().positive()
const share = z.number().min(0).max(1)

/** The two ends of a long text, and the digest of all of it. */
export type OutputExcerpt = Recorded<typeof excerpt>
const excerpt = z.object({
  head: text,
  tail: text,
  totalBytes: count,
  /** Bytes that stand between head and tail and are not kept here. 0 when head is the whole text. */
  omittedBytes: count,
  /** SHA-256 of the whole output, hex. */
  digest: text,
})

/** One process that a verifier ran. */
export type CommandEvidence = Recorded<typeof commandEvidence>
const commandEvidence = z.object({
  kind: z.literal('command'),
  command: text,
  folder: text,
  exitCode: z.number().int().nullable(),
  signal: text.nullable(),
  timedOut: z.boolean(),
  output: excerpt,
  /** SHA-256 over the sorted environment (names and values), hex. The values themselves are not kept. */
  environmentDigest: text,
})

/** Something a verifier wants to be read: a sentence, a value, a quote. */
const noteEvidence = z.object({ kind: z.literal('note'), text })

/** Counts of a test report. `total` is the sum of the others; executed are the passed, failed and errored ones. */
export type TestCounts = Recorded<typeof testCounts>
const testCounts = z.object({
  passed: count,
  failed: count,
  /** Did not get as far as an answer: a crash, a file that cannot be loaded. */
  errored: count,
  skipped: count,
  total: count,
})

export type TestCase = Recorded<typeof testCase>
const testCase = z.object({
  /** Suites and title, joined by ` > `. */
  name: text,
  /** Relative to the folder of the check. */
  file: text.exactOptional(),
  line: line.exactOptional(),
  message: text.exactOptional(),
})

/** What a test runner counted. */
export type TestsEvidence = Recorded<typeof testsEvidence>
const testsEvidence = z.object({
  kind: z.literal('tests'),
  /** Where it was read, such as `junit` or `vitest-json`; `text` where only the runner's words told it. */
  format: text,
  counts: testCounts,
  /** Failed or errored, at most 1,000. */
  failed: z.array(testCase),
  /** Names, at most 1,000. */
  skipped: z.array(text),
  /** First 12 hex digits of the SHA-256 of the name of every executed test. Only on the baseline tree, to compare with. */
  executedDigests: z.array(text).exactOptional(),
  /** Files of the executed tests, at most 1,000. Only on the baseline tree. */
  files: z.array(text).exactOptional(),
})

/** A file that was looked at. */
export type FileEvidence = Recorded<typeof fileEvidence>
const fileEvidence = z.object({
  kind: z.literal('file'),
  /** Relative to the folder of the check. */
  path: text,
  /** SHA-256 of the content, hex; null: there is no such file. */
  digest: text.nullable(),
  bytes: count,
})

/** A number that was compared with a bound, such as a similarity or a share of caught mutants. */
export type MeasureEvidence = Recorded<typeof measureEvidence>
const measureEvidence = z.object({
  kind: z.literal('measure'),
  name: text,
  value: z.number(),
  /** What it was compared with. */
  bound: z.number().exactOptional(),
})

/** Who let something pass, until when, and why. */
export type Waiver = Recorded<typeof waiver>
/** `until`: the last day on which it holds, `YYYY-MM-DD`. */
const waiver = z.object({ by: text, until: text, reason: text })

/** Something that somebody should look at, with its place. */
export type FindingEvidence = Recorded<typeof findingEvidence>
const findingEvidence = z.object({
  kind: z.literal('finding'),
  /** Such as `test.narrowed`. */
  rule: text,
  response: z.enum(guardResponses),
  /** What was found, in one sentence. */
  message: text,
  /** Why it matters. */
  why: text,
  /** Relative to the work folder. */
  path: text.exactOptional(),
  line: line.exactOptional(),
  waiver: waiver.exactOptional(),
})

/** Changes of the check side that somebody allowed by name: without that the verdict would not stand. */
export type AuthorityEvidence = Recorded<typeof authorityEvidence>
const authorityEvidence = z.object({
  kind: z.literal('authority'),
  /** Relative to the work folder, or the name of what was allowed where it is no file of it. */
  paths: z.array(text),
  /** A person, or the flag or waiver that says so. */
  by: text,
  reason: text,
})

/** Words that a judge rests on. */
export type JudgeQuote = Recorded<typeof judgeQuote>
/** `source`: id of an event, or a path in the work folder. Absent: the answer. */
const judgeQuote = z.object({ text, source: text.exactOptional() })

/** One judge's own word, whatever was made of it: of a panel there are several. */
export type JudgeEvidence = Recorded<typeof judgeEvidence>
export const judgeEvidence = z.object({
  kind: z.literal('judge'),
  /** For people, such as a model's name. */
  judge: text,
  family: text.exactOptional(),
  /** SHA-256, hex, of the model and of its prompts. */
  identity: text.exactOptional(),
  said: z.enum(judgeAnswerKinds),
  reason: text,
  /** One of `judgeCategories`, or one that the user has declared. */
  category: text.exactOptional(),
  score: share.exactOptional(),
  quotes: z.array(judgeQuote),
  /** What the order of the choices in its prompt was shuffled by. */
  /** Of all its tries; absent: none were used, or nobody knows. */
  tokens: count.exactOptional(),
  /** Null: the price is unknown, or there is none. */
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
  /** Name of the verifier, unique in a run. */
  verifier: text,
  status: verdictStatus,
  /** One sentence for a person and for the model. */
  reason: text,
  /** False: no further turn can mend it. */
  canRetry: z.boolean(),
  score: share.exactOptional(),
  qualifiers: z.array(z.enum(verdictQualifiers)),
  evidence: z.array(evidence),
  durationMs: z.number().nonnegative(),
  costUsd: z.number().exactOptional(),
  /** Of the workspace that was looked at. */
  fingerprint: text.exactOptional(),
  tree: z.enum(verdictTrees).exactOptional(),
})
