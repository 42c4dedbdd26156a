/** What of Restate's admin API a fleet needs: deployments come and go, and what a lost worker was doing is ended. */
import { z } from 'zod'
import { UsageError } from '@donecheck/engine/base'

export interface RestateAdmin {
  /** @returns the id of the deployment. Rejects where there is another at this address. */
  register(url: string): Promise<string>
  remove(deploymentId: string): Promise<void>
  /** How many invocations have not ended that only this deployment can go on with. */
  pendingOf(deploymentId: string): Promise<number>
  /** One that is over, or unknown, stays so. */
  killInvocation(invocationId: string): Promise<void>
}

const deployment = z.object({ id: z.string() })
const counted = z.object({ rows: z.array(z.object({ pending: z.number() })) })

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
      return deployment.parse(await (await ask('POST', '/deployments', { uri, force: false })).json()).id
    },
    async remove(id) {
      await ask('DELETE', `/deployments/${encodeURIComponent(id)}?force=true`)
    },
    async pendingOf(id) {
      const query = `SELECT COUNT(*) AS pending FROM sys_invocation WHERE status <> 'completed' AND pinned_deployment_id = '${id}'`
      const answer = counted.parse(await (await ask('POST', '/query', { query })).json())
      return answer.rows[0]?.pending ?? 0
    },
    async killInvocation(id) {
      await ask('PATCH', `/invocations/${encodeURIComponent(id)}/kill`)
    },
  }
}
