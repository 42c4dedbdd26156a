/** Registered functions around the loop: what is called when, and what its answer means. */
export { hookPipeline, type HookPipeline } from './pipeline.ts'
export { commandHooks } from './commands/command-hooks.ts'
export { digestHookScripts, unfixedProgramsOf, type ScriptDigests } from './commands/hook-scripts.ts'
export { hook, type HookLists, type ToolHook } from './register/registration.ts'
export type { HookCounters } from './fire/counters.ts'
