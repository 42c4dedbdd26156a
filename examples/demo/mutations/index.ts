/** Every repair of a source text that changes one place of it. */
export { applyCandidate, candidatesIn, parses } from './candidates.ts'
export type { Candidate } from './candidates.ts'
export { mutationKinds } from './edit.ts'
export type { MutationKind } from './edit.ts'
