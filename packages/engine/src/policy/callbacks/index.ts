export { hookPipeline, type HookPipeline } from './pipeline.ts'
export { commandHooks } from './command-hooks.ts'
export { digestHookScripts, unfixedProgramsOf, type ScriptDigests } from './hook-scripts.ts'
export type { HookLists, ToolHook } from './registration.ts'
