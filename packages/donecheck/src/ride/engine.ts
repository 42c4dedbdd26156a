/** What looks at the world. It stands apart, so that a ride can be had without it until it is needed. */
import { fireRunStarted, observe, perform, wake } from '../run/index.ts'

export const engine = { fireRunStarted, observe, perform, wake } as const

export type Engine = typeof engine
