/** A real Restate for a test file. */
import { startRestate, type RestateServer } from '@donecheck/fleet/local'
import { describeWithServer, serversFolder, startTestServer, type TestServer } from './servers.ts'

export type TestRestate = TestServer<RestateServer>

export function startTestRestate(): Promise<TestRestate & { dispose(): Promise<void> }> {
  return startTestServer((folder, before?: RestateServer) =>
    startRestate({
      folder,
      packagesFrom: serversFolder,
      ...(before === undefined
        ? {}
        : { ingressPort: portOf(before.ingressUrl), adminPort: portOf(before.adminUrl) }),
    }),
  )
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

export function describeWithRestate(title: string, body: (restate: () => TestRestate) => void): void {
  const packageName = '@restatedev/restate-server'
  describeWithServer({ name: 'Restate', packageName, peer: 'restate', start: startTestRestate }, title, body)
}
