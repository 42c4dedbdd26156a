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
  /** It was in the baseline tree. A new test on the source files is harmless where nothing earlier reads it. */
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

export type Disagreement = z.infer<typeof disagreement>
export type Replay = z.infer<typeof replaySchema>
