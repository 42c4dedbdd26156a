export { openSessionRegistry } from './session-registry.ts'
export { serveOverStdio } from './server.ts'
