/** What reading said of the sampled evidence lines: one judgement a line, made by hand. */
import { readFileSync } from 'node:fs'
import * as z from 'zod'

const schema = z.array(
  z.strictObject({
    id: z.string(),
    /** The line as the product gives it now. */
    line: z.string(),
    isTrue: z.boolean(),
    /** Why, in a few words; what is wrong with a line that is not true. */
    why: z.string(),
    /** Whether it was true when it was read first, before the faults that reading found were mended. */
    wasTrue: z.boolean(),
    /** Which fault that was. */
    mended: z.string().optional(),
  }),
)

export type CheckedLine = z.infer<typeof schema>[number]

export function checkedSample(): readonly CheckedLine[] {
  return schema.parse(JSON.parse(readFileSync(new URL('checked-sample.json', import.meta.url), 'utf8')))
}
