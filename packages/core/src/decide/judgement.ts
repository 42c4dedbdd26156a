import type { Policy } from './policies/index.ts'
import type { Prompts } from './prompts/index.ts'
import type { Rule } from '../state/index.ts'

/** What a run is judged by. Functions, so they are chosen anew on resume; all that they look at is in the state. */
export interface Judgement {
  /** Hard caps, detectors, soft verifiers. */
  readonly rules: readonly Rule[]
  readonly policy: Policy
  /** Words of the program to the drive. */
  readonly prompts: Prompts
  /** Its user is at work already: a check that cannot be answered ends nothing before the first turn. */
  readonly hostOwnsLoop?: true
}
