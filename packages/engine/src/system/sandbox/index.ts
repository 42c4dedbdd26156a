export { bubblewrap } from './bubblewrap.ts'
export { chooseSandbox } from './choose-sandbox.ts'
export { sandboxRuntime } from './sandbox-runtime.ts'
export type { SandboxOptions } from './sandbox-options.ts'
