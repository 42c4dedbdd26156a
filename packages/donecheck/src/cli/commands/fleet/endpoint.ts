/** What the processes of a fleet have in common: where Restate calls them, where probes do, and how they end. */
import { hostname } from 'node:os'
import { donecheckVersion, UsageError } from '@donecheck/engine/base'
import type { ListenAddress } from '@donecheck/server'
import type { CliIo } from '../../process/io.ts'
import { listenForInterrupts } from '../../process/signals.ts'
import { readListenAddress } from '../../options/listen-address.ts'
import { writeNotice } from '../../output/painter.ts'
import type { FleetFlags } from '../../settings/load-fleet.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface EndpointFlags extends FleetFlags {
  readonly listen?: string
  readonly publicUrl?: string
  readonly health?: string
  readonly versionLabel?: string
  readonly identityKey?: readonly string[]
}

/** How it is called, by whom, and of which version. @throws {UsageError} for what is no address and no key */
export function endpointOf({
  listen = '127.0.0.1:0',
  publicUrl,
  versionLabel,
  identityKey = [],
}: EndpointFlags) {
  const bad = identityKey.find((key) => !/^publickeyv1_\w+$/.test(key))
  if (bad !== undefined)
    throw new UsageError(
      `--identity-key takes the public key that Restate says when it starts, publickeyv1_…, not "${bad}"`,
    )
  const address = readListenAddress('--listen', listen)
  return {
    listen: address,
    ...publicUrlOf(publicUrl, address),
    identityKeys: identityKey,
    version: versionLabel ?? donecheckVersion,
  }
}

/** Whoever listens everywhere is reached by the name of the machine. */
function publicUrlOf(
  named: string | undefined,
  { host, port }: ListenAddress,
): { readonly publicUrl?: string } {
  if (named !== undefined) return { publicUrl: named.replace(/\/$/, '') }
  const isEverywhere = ['0.0.0.0', '::'].includes(host) && port > 0
  return isEverywhere ? { publicUrl: `http://${hostname()}:${port}` } : {}
}

/** Until it is told to end; a second time ends it at once. @param end is what it has to do before */
export async function untilInterrupted(
  { health }: EndpointFlags,
  io: CliIo,
  end: (name: string) => Promise<void>,
): Promise<void> {
  const over = Promise.withResolvers<string>()
  const interrupts = listenForInterrupts(over.resolve, () => process.exit(0))
  const probes =
    health === undefined
      ? undefined
      : await serveHealth(readListenAddress('--health', health), () => !interrupts.signal.aborted)
  try {
    await end(await over.promise)
  } finally {
    interrupts.dispose()
    await probes?.close()
  }
}

export function logTo(io: CliIo): (message: string) => void {
  return (message) => {
    // Restate's advice to check signatures: the guide says how its ports are kept from others.
    if (!message.startsWith('Accepting requests without validating')) writeNotice(message, io)
  }
}

interface Health {
  close(): Promise<void>
}

/** Two addresses for whoever watches a process from outside, such as Kubernetes. @param isReady false: it takes nothing new. `/live` says yes for as long as the process answers. */
export async function serveHealth({ host, port }: ListenAddress, isReady: () => boolean): Promise<Health> {
  const server = createServer(({ url }, response) => {
    const known = url === '/live' || url === '/ready'
    const good = url === '/live' || isReady()
    response.writeHead(known ? (good ? 200 : 503) : 404, { 'content-type': 'text/plain' })
    response.end(known ? (good ? 'ok\n' : 'draining\n') : 'ask /live or /ready\n')
  })
  await once(server.listen(port, host), 'listening')
  return {
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
