/** What is used up. Apart from the caps, so that whoever reads those loads no parser. */
export { consumption } from './consumption.ts'
export type { Consumption } from './consumption.ts'
export { pricesUsd, tokenUsage } from './token-usage.ts'
export type { PricesUsd, TokenUsage } from './token-usage.ts'
