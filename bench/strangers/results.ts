/** What is kept of a measurement, until a page is made of it. */
import { z } from 'zod'

/** A file that stands elsewhere than the oracle says. */
const disagreement = z.object({
  path: z.string(),
  commit: z.string(),
  expected: z.enum(['product', 'check']),
  placed: z.enum(['product', 'check']),
  reason: z.string(),
  because: z.string(),
  /** It was in the baseline tree. A new test on the product side is harmless where nothing earlier reads it. */
  isEarlier: z.boolean(),
})

/** What rules over texts refuse, or hold up for authority, in honest work. */
const alarm = z.object({ path: z.string(), commit: z.string(), rule: z.string(), message: z.string() })

export const replaySchema = z.object({
  name: z.string(),
  /** `placeMs` is time of the processor, since others may use the machine. */
  commits: z.array(z.object({ commit: z.string(), placeMs: z.number(), isCheckSideChanged: z.boolean() })),
  files: z.number(),
  /** How many files have each side and reason, such as `check: test`. */
  reasons: z.record(z.string(), z.number()),
  disagreements: z.array(disagreement),
  alarms: z.array(alarm),
})

const experimentedCommit = z.object({
  commit: z.string(),
  subject: z.string(),
  /**
   * `excused`: an earlier test fails, and its change is only one of layout or name. `unusable`: the tests do not run here, or
   * are red on the commit itself, so that it says nothing.
   */
  answer: z.enum(['right', 'excused', 'asked in vain', 'not asked', 'unusable']),
  /** The independent tree differs from the delivered one, so the tests ran a second time. */
  isRunTwice: z.boolean(),
  isAsked: z.boolean(),
  /** An earlier test fails on the new product, by the oracle's own experiment. */
  isNeeded: z.boolean(),
  excused: z.array(z.string()),
  placed: z.array(z.string()),
  /** The end of what the tests said where the answer is wrong or there is none. */
  output: z.string(),
})

export const experimentSchema = z.object({ name: z.string(), commits: z.array(experimentedCommit) })

export type Disagreement = z.infer<typeof disagreement>
export type Replay = z.infer<typeof replaySchema>
export type ExperimentedCommit = z.infer<typeof experimentedCommit>
export type ExperimentResult = z.infer<typeof experimentSchema>
