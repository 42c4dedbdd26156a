import { z } from 'zod'
import { assertShape, given, messageOf, UsageError } from '@donecheck/engine/internal/base'

const verifier = z
  .object({
    enabled: z.boolean(),
    model: z.string(),
    verifyAll: z.boolean(),
    verifyHeartbeat: z.boolean(),
    maxAttempts: z.number().int().min(1).max(10),
    triggerKeywords: z.array(z.string()),
    timeoutSeconds: z.number().positive(),
  })
  .partial()
const defaults = z.object({ verifier }).partial()
const agents = z.object({
  defaults,
  list: z.array(z.object({ id: z.string(), verifier }).partial({ verifier: true })),
})
const file = z.object({ agents: agents.partial() }).partial()

/** @param text JSON5 @param agent overrides the defaults @throws {UsageError} for invalid text or an unknown agent */
export async function repliesOfOpenclaw(text: string, source: string, agent?: string) {
  const value = await valueOf(text, source)
  assertShape(file, value, source)
  const { defaults, list = [] } = file.parse(value).agents ?? {}
  const named = list.find(({ id }) => id === agent)
  if (agent !== undefined && named === undefined)
    throw new UsageError(
      `${source} has no agent "${agent}"; there are: ${list.map(({ id }) => id).join(', ') || 'none'}`,
    )
  return read({ ...defaults?.verifier, ...named?.verifier })
}

async function valueOf(text: string, source: string): Promise<unknown> {
  const { parse } = (await import('json5')).default
  try {
    return parse<unknown>(text)
  } catch (error) {
    throw new UsageError(`${source} is not JSON5: ${messageOf(error)}`, { cause: error })
  }
}

function read({
  enabled = false,
  model,
  timeoutSeconds,
  verifyAll: all,
  verifyHeartbeat: heartbeat,
  maxAttempts,
  triggerKeywords: words = [],
}: z.output<typeof verifier>) {
  const keywords = words.length === 0 ? undefined : words
  return {
    judge: given({ models: model === undefined ? undefined : [model], timeoutSeconds }),
    replies: enabled && given({ all, heartbeat, maxAttempts, keywords }),
  }
}
