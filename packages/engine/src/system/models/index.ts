export { askModel, type ModelAnswer, type ModelRequest, settleUsage, type StreamedCall } from './ask-model.ts'
export { failureOfBreak, noRoom } from './failures.ts'
export {
  canLoadModel,
  type Embedder,
  embeddingModel,
  type Environment,
  installedPackages,
  installLine,
  type Model,
  nameHostedModel,
  parseModelName,
  type ProviderPackages,
  type ResolvedModel,
  resolveLanguageModel,
  resolveModel,
} from './resolve-model.ts'
export { listedModels, nearestModel, pricesOf, type PriceTable } from './prices.ts'
export { durationIn, epochMs, resetInText } from './reset-time.ts'
