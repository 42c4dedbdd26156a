/** The stored form of sealed checks. */
import { z } from 'zod'
import { sealedCheckKinds } from '../facts/sealed-facts.ts'

const text = z.string()

export const checksSealed = {
  authors: z.array(z.object({ name: text, costUsd: z.number().nullable(), problem: text.exactOptional() })),
  checks: z.array(
    z.object({
      name: text,
      kind: z.enum(sealedCheckKinds),
      author: text,
      approvedBy: text.exactOptional(),
    }),
  ),
  dropped: z.array(z.object({ author: text, reason: text })),
  digest: text,
}
