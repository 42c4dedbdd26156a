/** Registered functions around the loop: what is called when, and what its answer means. */
export { hookPipeline } from './pipeline.ts'
export type { HookPipeline, HookPipelineOptions } from './pipeline.ts'
export { hook } from './registration.ts'
export type {
  HookLists,
  HookMatch,
  HookOptions,
  HookRegistration,
  HookReturn,
  HookSample,
  LifecycleHook,
  NameMatch,
  ToolHook,
  VerifierHook,
} from './registration.ts'
export type { HookList, LifecyclePoint, ToolPoint, VerifierPoint } from './points.ts'
export type { HookCounters } from './counters.ts'
export type { HookProblem, HookProblemKind, HookSituation } from './self-test.ts'
