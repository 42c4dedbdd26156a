/** What a check answered, and the evidence for it. */
export {
  guardResponses,
  judgeAnswerKinds,
  judgeCategories,
  verdictQualifiers,
  verdictStatuses,
  verdictTrees,
} from './words.ts'
export type { GuardResponse, VerdictQualifier, VerdictStatus, VerdictTree } from './words.ts'
export { judgeEvidence, verdict, verdictStatus } from './verdict.ts'
export type {
  AuthorityEvidence,
  CommandEvidence,
  Evidence,
  FileEvidence,
  FindingEvidence,
  JudgeEvidence,
  JudgeQuote,
  MeasureEvidence,
  OutputExcerpt,
  TestCase,
  TestCounts,
  TestsEvidence,
  Verdict,
  Waiver,
} from './verdict.ts'
