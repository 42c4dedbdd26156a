/** Real servers for a test file: one of a kind, skipped where it is not installed. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'

/** Where `test/peers/install.ts` puts servers. */
export const serversFolder = join(import.meta.dirname, '../../../.peers/servers')

interface Startable {
  kill(): Promise<void>
}

export interface TestServer<Server> {
  /** That runs now. */
  readonly server: Server
  /** Starts it again on the same ports and data, after it was stopped or killed. */
  readonly restart: () => Promise<Server>
}

/** @param start in this folder; again: with the ports of the one before */
export async function startTestServer<Server extends Startable>(
  start: (folder: string, before?: Server) => Promise<Server>,
): Promise<TestServer<Server> & { dispose(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-server-'))
  let server = await start(folder)
  return {
    get server() {
      return server
    },
    async restart() {
      server = await start(folder, server)
      return server
    },
    async dispose() {
      await server.kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

export interface InstalledServer<Server> {
  readonly name: string
  /** Of npm. */
  readonly packageName: string
  /** As `test/peers/install.ts` calls it. */
  readonly peer: string
  readonly start: () => Promise<TestServer<Server> & { dispose(): Promise<void> }>
}

/** The body's tests have one server between them; its title says so where there is none. */
export function describeWithServer<Server>(
  { name, packageName, peer, start }: InstalledServer<Server>,
  title: string,
  body: (running: () => TestServer<Server>) => void,
): void {
  const isMissing = !existsSync(join(serversFolder, 'node_modules', packageName))
  const why = `skipped: ${name} is not installed; node test/peers/install.ts ${peer}`
  describe.skipIf(isMissing)(isMissing ? `${title} (${why})` : title, () => {
    let running: Awaited<ReturnType<typeof start>> | undefined
    beforeAll(async () => {
      running = await start()
    })
    afterAll(async () => running?.dispose())
    body(() => {
      if (running === undefined) throw new Error('the server is asked for within a test')
      return running
    })
  })
}
