/** A real Restate for a test file. */
import { startRestate, type RestateServer, type RestateServerOptions } from '@donecheck/fleet/internal/local'
import { describeWithServer, serversFolder, startTestServer, type TestServer } from './servers.ts'

export type TestRestate = TestServer<RestateServer>

type TestOptions = Pick<RestateServerOptions, 'signingKeyFile'>

export function startTestRestate(
  options: TestOptions = {},
): Promise<TestRestate & { dispose(): Promise<void> }> {
  return startTestServer((folder, before?: RestateServer) =>
    startRestate({
      ...{ ...options, folder },
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

export function describeWithRestate(
  title: string,
  body: (restate: () => TestRestate) => void,
  options: TestOptions = {},
): void {
  const packageName = '@restatedev/restate-server'
  const start = () => startTestRestate(options)
  describeWithServer({ name: 'Restate', packageName, peer: 'restate', start }, title, body)
}
