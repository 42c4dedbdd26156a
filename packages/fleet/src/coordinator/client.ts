import { connect, rpc } from '@restatedev/restate-sdk-clients'
import type { SavedSchedule } from '../schedule/index.ts'
import type { DispatcherFact } from './shapes.ts'
import { fleetRequest, type FleetRequest, type FleetRun, type RunMessage } from './shapes.ts'
import { z } from 'zod'
import { UsageError } from '@donecheck/engine/internal/base'
import type { ObjectContext, ObjectSharedContext } from '@restatedev/restate-sdk'

export interface FleetClient {
  /** Idempotent by run id. Rejects for an invalid request. */
  submit(request: FleetRequest): Promise<void>
  /** @param by who cancels the run, for the record */
  cancel(runId: string, by: string): Promise<void>
  /** Wakes a waiting run after an answer or a goal change. */
  wake(runId: string): Promise<void>
  /** Undefined if the run was not submitted to this fleet. */
  run(runId: string): Promise<FleetRun | undefined>
  status(): Promise<SavedSchedule>
  tell(fact: DispatcherFact): Promise<void>
  tellAndWait(fact: DispatcherFact): Promise<void>
}

/** A cut connection reports nothing. */
const heardWithinMs = 30_000

/** @param ingressUrl the ingress of Restate, such as `http://127.0.0.1:8080` */
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

export interface RestateAdmin {
  /** @returns the id of the deployment, new or existing. Rejects if this address serves another one. */
  register(url: string): Promise<string>
  isRegistered(deploymentId: string): Promise<boolean>
  deployments(): Promise<readonly Deployment[]>
  remove(deploymentId: string): Promise<void>
  pendingOf(serviceName: string): Promise<readonly string[]>
  killInvocation(invocationId: string): Promise<void>
}

interface Deployment {
  readonly id: string
  readonly services: readonly string[]
}

const known = z.object({ id: z.string() })
const listed = z.object({
  deployments: z.array(known.extend({ services: z.array(z.object({ name: z.string() })) })),
})
const found = z.object({ rows: z.array(known) })

export function adminUrlOf(ingressUrl: string): string {
  const url = new URL(ingressUrl)
  url.port = '9070'
  return url.origin
}

export function restateAdmin(adminUrl: string): RestateAdmin {
  const ask = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const more = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(new URL(path, adminUrl), { method, headers, ...more })
    if (response.ok || response.status === 404) return response
    const words = (await response.text()).slice(0, 500)
    throw new UsageError(`Restate at ${adminUrl} refuses ${method} ${path}: ${response.status} ${words}`)
  }
  return {
    async register(uri) {
      return known.parse(await (await ask('POST', '/deployments', { uri, force: false })).json()).id
    },
    async isRegistered(id) {
      return (await ask('GET', `/deployments/${encodeURIComponent(id)}`)).ok
    },
    async deployments() {
      const { deployments } = listed.parse(await (await ask('GET', '/deployments')).json())
      return deployments.map(({ id, services }) => ({ id, services: services.map(({ name }) => name) }))
    },
    async remove(id) {
      await ask('DELETE', `/deployments/${encodeURIComponent(id)}?force=true`)
    },
    async pendingOf(serviceName) {
      const name = serviceName.replaceAll("'", "''")
      const query = `SELECT id FROM sys_invocation WHERE status <> 'completed' AND target_service_name = '${name}'`
      const { rows } = found.parse(await (await ask('POST', '/query', { query })).json())
      return rows.map(({ id }) => id)
    },
    async killInvocation(id) {
      await ask('PATCH', `/invocations/${encodeURIComponent(id)}/kill`)
    },
  }
}

export const runObjectName = 'donecheck-run'
export const dispatcherName = 'donecheck-dispatcher'
export const dispatcherKey = 'fleet'

/** Each worker is its own service, because a run belongs to exactly one. */
export function workerServiceName(workerId: string): string {
  return `${workerPrefix}${workerId}`
}

/** Undefined if the service does not belong to a worker. */
export function workerIdOf(serviceName: string): string | undefined {
  return serviceName.startsWith(workerPrefix) ? serviceName.slice(workerPrefix.length) : undefined
}

const workerPrefix = 'donecheck-worker-'

/** Retries forever, for example while a worker is away. */
export const tirelessly = {
  retryPolicy: {
    initialInterval: 100,
    exponentiationFactor: 2,
    maxInterval: 2_000,
    maxAttempts: 1_000_000_000,
  },
} as const

export interface RunObject {
  readonly tell: (ctx: ObjectContext, message: RunMessage) => Promise<void>
  /** Null if the run was never submitted. */
  readonly status: (ctx: ObjectSharedContext) => Promise<FleetRun | null>
}

export interface DispatcherObject {
  readonly tell: (ctx: ObjectContext, fact: DispatcherFact) => Promise<void>
  readonly look: (ctx: ObjectContext) => Promise<void>
  readonly status: (ctx: ObjectSharedContext) => Promise<SavedSchedule>
}
