import { z } from 'zod'

/** An option that is a function. Not in `base`, which commands load at every start and which must not load zod. */
export const functionShape = z.custom<unknown>((value) => typeof value === 'function', 'must be a function')
