/** How the commands and the service speak to a fleet: over Restate's ingress. */
import { connect, rpc } from '@restatedev/restate-sdk-clients'
import type { SavedSchedule } from '../schedule/index.ts'
import {
  dispatcherKey,
  dispatcherName,
  runObjectName,
  type DispatcherObject,
  type RunObject,
} from './names.ts'
import type { DispatcherFact } from './run-machine.ts'
import { fleetRequest, type FleetRequest, type FleetRun, type RunMessage } from './shapes.ts'

export interface FleetClient {
  /** Twice the same run is once. Rejects for a request that is none. */
  submit(request: FleetRequest): Promise<void>
  /** @param by who wants it, for the record */
  cancel(runId: string, by: string): Promise<void>
  /** A question was answered, or its goal was changed: a run that waits looks again. */
  wake(runId: string): Promise<void>
  /** Undefined: it was not submitted to this fleet. */
  run(runId: string): Promise<FleetRun | undefined>
  status(): Promise<SavedSchedule>
  /** For workers. */
  tell(fact: DispatcherFact): Promise<void>
  /** Until the dispatcher has taken it in; rejects where that takes too long. */
  tellAndWait(fact: DispatcherFact): Promise<void>
}

/** A wire that was cut says nothing. */
const heardWithinMs = 30_000

/** @param ingressUrl of Restate, such as `http://127.0.0.1:8080` */
export function fleetClient(ingressUrl: string): FleetClient {
  const ingress = connect({ url: ingressUrl })
  const tellRun = async (runId: string, message: RunMessage) => {
    await ingress.objectSendClient<RunObject>({ name: runObjectName }, runId).tell(message)
  }
  const dispatcher = { name: dispatcherName } as const
  return {
    submit: async (given) => {
      const request = fleetRequest.parse(given)
      await tellRun(request.runId, { kind: 'submitted', request })
    },
    cancel: (runId, by) => tellRun(runId, { kind: 'interrupted', by }),
    wake: (runId) => tellRun(runId, { kind: 'woken' }),
    run: async (runId) =>
      (await ingress.objectClient<RunObject>({ name: runObjectName }, runId).status()) ?? undefined,
    status: async () => ingress.objectClient<DispatcherObject>(dispatcher, dispatcherKey).status(),
    tell: async (fact) => {
      await ingress.objectSendClient<DispatcherObject>(dispatcher, dispatcherKey).tell(fact)
    },
    tellAndWait: async (fact) => {
      const options = { timeout: heardWithinMs }
      await ingress.objectClient<DispatcherObject>(dispatcher, dispatcherKey).tell(fact, rpc.opts(options))
    },
  }
}
