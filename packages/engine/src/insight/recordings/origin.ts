/** Where an imported trajectory came from: kept in the recipe of its run, which nobody can resume. */
import * as z from 'zod'
import type { JsonValue } from '@donecheck/core/events'

export const groundTruthSchema = z.object({
  resolved: z.boolean().nullable(),
  reward: z.number().nullable(),
  labels: z.array(z.string()),
})

const originSchema = z.object({
  /** As its source calls it. */
  id: z.string(),
  source: z.string().nullable(),
  licence: z.string().nullable(),
  agent: z.string(),
  /** How it ended, in the words of its source. */
  exit: z.string().nullable(),
  /** The ground truth, as its source says. It is a label, and no verdict of ours. */
  outcome: groundTruthSchema,
})

export type Origin = Readonly<z.infer<typeof originSchema>>

/** Undefined: the run is no imported trajectory. */
export function originOf(recipe: JsonValue): Origin | undefined {
  const parsed = z.object({ importedTrajectory: originSchema }).safeParse(recipe)
  return parsed.success ? parsed.data.importedTrajectory : undefined
}
