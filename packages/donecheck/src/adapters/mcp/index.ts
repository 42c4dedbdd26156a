/** A server that any client of the Model Context Protocol can ask: what is the goal, is it done, why not. */
export { openDesk } from './desk.ts'
export type { CheckLine, Desk, DoneAnswer, GoalAnswer } from './desk.ts'
export { verificationServer } from './server.ts'
export { serveOverStdio } from './serve.ts'
