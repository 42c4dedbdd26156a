/** A model object of the AI SDK as a drive: its provider knows the key and the address, so nothing is looked up. */
import type { DriveDescription } from '@donecheck/core/settings'
import type { Drive } from '../../../ports/loop.ts'
import { defaultStallTimeoutMs, driveOver } from './drive-over.ts'
import { windowOf, type WindowOverrides } from './context-window.ts'
import {
  pricesOf,
  resolveLanguageModel,
  type Model,
  type PriceTable,
  type ResolvedModel,
} from '../../../system/models/index.ts'

/** A drive as it is; a model object, which has `doStream` and no `next`, as a drive with the defaults of `modelDrive`. */
export function driveFrom(given: Drive | Model): Drive {
  return 'doStream' in given ? languageModelDrive(given) : given
}

export function describeModel(
  { name, hosted }: ResolvedModel,
  options: WindowOverrides & { readonly prices?: PriceTable },
): DriveDescription {
  const prices = pricesOf(name, options.prices)
  return {
    kind: 'model',
    name,
    sideEffects: false,
    reportsUsage: true,
    prices,
    ...windowOf(name, hosted, options),
  }
}

function languageModelDrive(given: Model): Drive {
  const model = resolveLanguageModel(given)
  const description = describeModel(model, {})
  return driveOver({ description, model, stallTimeoutMs: defaultStallTimeoutMs, instructions: undefined })
}
