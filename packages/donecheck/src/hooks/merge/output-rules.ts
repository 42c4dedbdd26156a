/** `tool_result_persist`: each hook rewrites what the one before it gave. */
import { z } from 'zod'
import type { PointRules } from './point-rules.ts'
import { fieldReader } from './read-fields.ts'

export const outputRules: PointRules<'tool_result_persist'> = {
  nothing: {},
  read: fieldReader(z.strictObject({ output: z.string().exactOptional() })),
  effectOf({ output }, seen) {
    if (output === undefined || output === seen.output) return { effect: 'none' }
    return { effect: 'rewrote', note: `${seen.output.length} → ${output.length} characters` }
  },
  merge: (merged, result) => ({ ...merged, ...result }),
  refuse: (_, refusal) => ({ output: `[the output is withheld: ${refusal}]` }),
  after: (input, { output }) => (output === undefined ? input : { ...input, output }),
  isDecided: (_, refusal) => refusal !== undefined,
}
