import type { DriveFailure, FailureKind } from '../../events/index.ts'

/**
 * What the refusal of a model's provider means, as an agent that has given up tells of it.
 * @param status of HTTP, 400 or more
 * @param said one sentence without a full stop
 */
export function providerFailure(status: number, said: string): DriveFailure {
  if (status === 401 || status === 403)
    return failure('configuration', false, `${said}. Check its login or key`)
  if (status === 402) return failure('configuration', false, `${said}. The account has no credit left`)
  if (status === 404)
    return failure('configuration', false, `${said}. Check the name of the model and the address`)
  if (status === 408) return failure('timeout', true, said)
  if (status === 429) return failure('rate-limited', true, said)
  if (status === 409 || status >= 500) return failure('server-error', true, said)
  return failure('refused', false, said)
}

function failure(kind: FailureKind, retryable: boolean, message: string): DriveFailure {
  return { kind, message, retryable }
}
