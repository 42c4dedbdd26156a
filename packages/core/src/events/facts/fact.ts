import { z } from 'zod'

/** One kind of fact: a past event, noun first. */
export function fact<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape })
}
