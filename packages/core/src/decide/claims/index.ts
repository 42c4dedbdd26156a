/** What a claim rests on, and what contradicts it. */
export { answerClaim } from './answer-claim.ts'
export { evidenceGrades, evidenceOf, evidenceOfEnd, type EvidenceLine } from './evidence-grade.ts'
