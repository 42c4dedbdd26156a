/** Under which names the parts of a fleet find each other in Restate, and what they answer to. */
import type { ObjectContext, ObjectSharedContext } from '@restatedev/restate-sdk'
import type { SavedSchedule } from '../schedule/index.ts'
import type { DispatcherFact } from './run-machine.ts'
import type { FleetRun, RunMessage } from './shapes.ts'

export const runObjectName = 'donecheck-run'
export const dispatcherName = 'donecheck-dispatcher'
/** There is one. */
export const dispatcherKey = 'fleet'

/** Each worker is a service of its own: a run is with one and no other. */
export function workerServiceName(workerId: string): string {
  return `${workerPrefix}${workerId}`
}

/** Undefined: it is no worker's. */
export function workerIdOf(serviceName: string): string | undefined {
  return serviceName.startsWith(workerPrefix) ? serviceName.slice(workerPrefix.length) : undefined
}

const workerPrefix = 'donecheck-worker-'

/** What cannot be performed now, such as while whoever performs it is away, is tried again for ever, and waits for nobody's hand. */
export const tirelessly = {
  retryPolicy: {
    initialInterval: 100,
    exponentiationFactor: 2,
    maxInterval: 2_000,
    maxAttempts: 1_000_000_000,
  },
} as const

/** Handlers of the object of a run, as others call them. */
export interface RunObject {
  readonly tell: (ctx: ObjectContext, message: RunMessage) => Promise<void>
  /** Null: nobody has submitted it. */
  readonly status: (ctx: ObjectSharedContext) => Promise<FleetRun | null>
}

export interface DispatcherObject {
  /** Something has happened. */
  readonly tell: (ctx: ObjectContext, fact: DispatcherFact) => Promise<void>
  /** Time has passed. */
  readonly look: (ctx: ObjectContext) => Promise<void>
  readonly status: (ctx: ObjectSharedContext) => Promise<SavedSchedule>
}
