/** Registered functions around the loop: what is called when, and what its answer means. */
export { hookPipeline } from './pipeline.ts'
export type { HookPipeline } from './pipeline.ts'
export { commandHooks } from './commands/command-hooks.ts'
export { digestHookScripts, unfixedProgramsOf } from './commands/hook-scripts.ts'
export type { ScriptDigests } from './commands/hook-scripts.ts'
export { hook } from './register/registration.ts'
export type { HookLists, ToolHook } from './register/registration.ts'
export type { HookCounters } from './fire/counters.ts'
