/** What a check answered, and the evidence for it. */
export {
  guardResponses,
  judgeAnswerKinds,
  judgeCategories,
  verdictQualifiers,
  verdictStatuses,
  verdictTrees,
} from './verdict.ts'
export type {
  AuthorityEvidence,
  CommandEvidence,
  Evidence,
  FileEvidence,
  FindingEvidence,
  GuardResponse,
  JudgeEvidence,
  JudgeQuote,
  MeasureEvidence,
  OutputExcerpt,
  TestCase,
  TestCounts,
  TestsEvidence,
  Verdict,
  VerdictQualifier,
  VerdictStatus,
  VerdictTree,
  Waiver,
} from './verdict.ts'
