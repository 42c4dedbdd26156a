import { z } from 'zod'
import { given, messageOf, UsageError } from '@donecheck/engine/internal/base'

const verifier = z.object({
  enabled: z.boolean().exactOptional(),
  model: z.string().exactOptional(),
  verifyAll: z.boolean().exactOptional(),
  verifyHeartbeat: z.boolean().exactOptional(),
  maxAttempts: z.number().int().min(1).max(10).exactOptional(),
  triggerKeywords: z.array(z.string()).exactOptional(),
  timeoutSeconds: z.number().positive().exactOptional(),
})

const file = z.object({
  agents: z
    .object({
      defaults: z.object({ verifier: verifier.exactOptional() }).exactOptional(),
      list: z.array(z.object({ id: z.string(), verifier: verifier.exactOptional() })).exactOptional(),
    })
    .exactOptional(),
})

/** @param text JSON5 @param agent overrides the defaults @throws {UsageError} for invalid text or an unknown agent */
export async function repliesOfOpenclaw(text: string, source: string, agent?: string) {
  const parsed = file.safeParse(await valueOf(text, source))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new UsageError(`${source}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`)
  }
  const { defaults, list = [] } = parsed.data.agents ?? {}
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

function read(keys: z.output<typeof verifier>) {
  const {
    enabled = false,
    model,
    verifyAll,
    verifyHeartbeat,
    maxAttempts,
    triggerKeywords,
    timeoutSeconds,
  } = keys
  return {
    judge: given({ models: model === undefined ? undefined : [model], timeoutSeconds }),
    replies: enabled && {
      ...given({ all: verifyAll, heartbeat: verifyHeartbeat, maxAttempts }),
      ...(triggerKeywords === undefined || triggerKeywords.length === 0 ? {} : { keywords: triggerKeywords }),
    },
  }
}
