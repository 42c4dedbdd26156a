export { bubblewrap } from './bubblewrap.ts'
export { chooseSandbox } from './choose-sandbox.ts'
export { isSecretName, type SandboxOptions } from './sandbox-options.ts'
export { sandboxRuntime } from './sandbox-runtime.ts'
