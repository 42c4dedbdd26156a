/** Why a reply did not come to its end, as data. */
import type { DriveFailure } from '@donecheck/core/events'
import type { BreakCause, ModelAnswer } from './ask-model.ts'
import { cutOff, failureOf, interrupted, stalledFailure } from './failures.ts'
import { readFault } from './fault.ts'
import type { ResolvedModel } from './resolve-model.ts'

export function failureOfBreak(
  cause: BreakCause,
  { responded }: Pick<ModelAnswer, 'responded'>,
  { model, stallTimeoutMs }: { readonly model: ResolvedModel; readonly stallTimeoutMs: number },
): DriveFailure {
  switch (cause.kind) {
    case 'interrupted':
      return interrupted
    case 'stalled':
      return stalledFailure(model.name, stallTimeoutMs)
    case 'cut-off':
      return cutOff('the stream ended without saying that it had finished')
    case 'error': {
      const context = {
        model: model.name,
        keyVariable: model.keyVariable,
        responded,
        nowMs: Date.now(),
      }
      return withoutKey(failureOf(readFault(cause.error), context), model.apiKey)
    }
  }
}

/** Some providers quote the key that they refuse. */
function withoutKey(failure: DriveFailure, apiKey: string | undefined): DriveFailure {
  if (apiKey === undefined) return failure
  return { ...failure, message: failure.message.replaceAll(apiKey, '***') }
}
