/** The stored form of what was recalled. */
import { z } from 'zod'
import { recallOccasions } from '../facts/memory-facts.ts'

const text = z.string()

export const memoryRecalled = {
  occasion: z.enum(recallOccasions),
  facts: z.array(z.object({ id: text, text })),
  text,
}
