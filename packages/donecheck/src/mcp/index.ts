/** A server that any client of the Model Context Protocol can ask: what is the goal, is it done, why not. */
export { openSessionRegistry } from './session-registry.ts'
export { serveOverStdio } from './server.ts'
