/** An agent that owns its loop, as a drive: its turns are read reply by reply, and its calls are seen while they run. */
import { UsageError } from '../../errors.ts'
import type { Drive } from '../../ports.ts'
import { StreamedAgent, type StreamedDriveOptions, streamedDriveKeys } from './streamed-agent.ts'
import { assertKnownKeys } from '../../option-keys.ts'

export type { StreamedDriveOptions }

/**
 * One turn after the other, each in the session of the one before. What is read is not believed: an end is the agent's claim,
 * and no more.
 * @throws {UsageError} for a bound that can never work
 */
export function streamedDrive(options: StreamedDriveOptions): Drive {
  assertKnownKeys(options, streamedDriveKeys, 'streamedDrive')
  const { timeoutMs } = options
  if (timeoutMs !== null && !(timeoutMs > 0))
    throw new UsageError(`timeoutMs is ${timeoutMs}; give the milliseconds that a turn may take, or null`)
  const agent = new StreamedAgent(options)
  return {
    description: { ...options.description, kind: 'agent', sideEffects: true, ownsTools: true },
    next: (request, signal) => agent.next(request, signal),
    own: {
      toolOf: (callId) => agent.calls.toolOf(callId),
      refuse: (callId, reason) => agent.refuse(callId, reason),
      cancel: () => agent.cancel(),
    },
  }
}
