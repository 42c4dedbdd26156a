/** For tests of agents: hooks that were recorded, and the contract of a hook protocol. */
export { hookProtocolContract } from './hook-protocol-contract.ts'
export { recordedHooks } from './recorded-hooks.ts'
export type { RecordedHook } from './recorded-hooks.ts'
