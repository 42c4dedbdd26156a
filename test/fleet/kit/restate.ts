/** A real Restate for a test file: one server, skipped where it is not installed. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { startRestate, type RestateServer } from '@donecheck/fleet/local'
import { serversFolder } from './postgres.ts'

export interface TestRestate {
  /** That runs now. */
  readonly server: RestateServer
  /** Starts it again on the same ports and data, after it was stopped or killed. */
  readonly restart: () => Promise<RestateServer>
}

export async function startTestRestate(): Promise<TestRestate & { dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-restate-'))
  let server = await startRestate({ folder, packagesFrom: serversFolder })
  return {
    get server() {
      return server
    },
    async restart() {
      const [ingressPort, adminPort] = [server.ingressUrl, server.adminUrl].map((url) =>
        Number(new URL(url).port),
      )
      server = await startRestate({
        folder,
        packagesFrom: serversFolder,
        ...(ingressPort === undefined ? {} : { ingressPort }),
        ...(adminPort === undefined ? {} : { adminPort }),
      })
      return server
    },
    async dispose() {
      await server.kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

/** The body's tests have one server between them; its title says so where there is none. */
export function describeWithRestate(title: string, body: (restate: () => TestRestate) => void): void {
  const isMissing = !existsSync(join(serversFolder, 'node_modules/@restatedev/restate-server'))
  const why = 'skipped: Restate is not installed; node test/peers/install.ts restate'
  describe.skipIf(isMissing)(isMissing ? `${title} (${why})` : title, () => {
    let running: Awaited<ReturnType<typeof startTestRestate>> | undefined
    beforeAll(async () => {
      running = await startTestRestate()
    })
    afterAll(async () => running?.dispose())
    body(() => {
      if (running === undefined) throw new Error('the server is asked for within a test')
      return running
    })
  })
}
