/** What a process may reach. */
export { noSandbox } from './no-sandbox.ts'
export { bubblewrap } from './bubblewrap.ts'
export { chooseSandbox } from './choose-sandbox.ts'
export type { ChooseSandboxOptions, WantedSandbox } from './choose-sandbox.ts'
export { sandboxRuntime } from './sandbox-runtime.ts'
export type { SandboxRuntimeOptions } from './sandbox-runtime.ts'
export type { SandboxOptions, SandboxTrial } from './sandbox-options.ts'
