/** What of Restate's admin API a fleet needs: deployments come and go, and what a lost worker was doing is ended. */
import { z } from 'zod'
import { UsageError } from '@donecheck/engine/base'

export interface RestateAdmin {
  /** @returns the id of the deployment, the known one where it is the same. Rejects where there is another at this address. */
  register(url: string): Promise<string>
  isRegistered(deploymentId: string): Promise<boolean>
  deployments(): Promise<readonly Deployment[]>
  remove(deploymentId: string): Promise<void>
  /** Ids of the invocations of this service that have not ended. */
  pendingOf(serviceName: string): Promise<readonly string[]>
  /** One that is over, or unknown, stays so. */
  killInvocation(invocationId: string): Promise<void>
}

export interface Deployment {
  readonly id: string
  /** Names of what is served there. */
  readonly services: readonly string[]
}

const known = z.object({ id: z.string() })
const listed = z.object({
  deployments: z.array(known.extend({ services: z.array(z.object({ name: z.string() })) })),
})
const found = z.object({ rows: z.array(known) })

/** Where the admin API is, where the ingress is given alone. */
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
