/** Models on servers: names, keys, prices, one call, and what a failed one means. Drives and judges stand on it. */
export { askModel, type ModelAnswer, type ModelRequest } from './ask-model.ts'
export { failureOfBreak } from './break-failure.ts'
export { interrupted, noRoom } from './failures.ts'
export { parseModelName } from './model-name.ts'
export { listedModels, nearestModel, pricesOf, type PriceTable } from './prices.ts'
export {
  canLoadModel,
  installedPackages,
  installLine,
  type Model,
  type ProviderPackages,
} from './providers.ts'
export {
  embeddingModel,
  nameHostedModel,
  resolveLanguageModel,
  resolveModel,
  type Embedder,
  type Environment,
  type ResolvedModel,
} from './resolve-model.ts'
export type { StreamedCall } from './reply.ts'
export { durationIn, epochMs, resetInText } from './reset-time.ts'
export { settleUsage } from './usage.ts'
