/** The plan of an agent in the words of the protocol, parsed at the door. Pure. */
import { z } from 'zod'
import type { PlanEntry } from '@donecheck/core/events'

const states = { pending: 'pending', in_progress: 'in-progress', completed: 'completed' } as const

const entry = z.object({
  content: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']).catch('pending'),
})
const update = z.object({ entries: z.array(z.unknown()) })

/** Undefined: it is no list of entries. One that cannot be read is left out; one in a state that nobody knows is not done. */
export function planOf(message: unknown): readonly PlanEntry[] | undefined {
  const parsed = update.safeParse(message)
  if (!parsed.success) return undefined
  return parsed.data.entries.flatMap((given) => {
    const read = entry.safeParse(given)
    return read.success ? [{ text: read.data.content, state: states[read.data.status] }] : []
  })
}
