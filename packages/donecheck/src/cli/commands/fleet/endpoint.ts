/** What the processes of a fleet have in common: where Restate calls them, where probes do, and how they end. */
import { hostname } from 'node:os'
import { donecheckVersion, UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../../process/io.ts'
import { listenForInterrupts } from '../../process/signals.ts'
import { writeNotice } from '../../output/painter.ts'
import type { FleetFlags } from '../../settings/load-fleet.ts'
import { serveHealth } from './health.ts'

export interface EndpointFlags extends FleetFlags {
  readonly listen?: string
  readonly publicUrl?: string
  readonly health?: string
  readonly versionLabel?: string
}

export interface Listening {
  readonly host: string
  readonly port: number
}

/** @throws {UsageError} for what is no host and port */
export function addressOf(flag: string, text: string): Listening {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || port === undefined || Number(port) > 65_535)
    throw new UsageError(`${flag} takes host:port, such as 0.0.0.0:9080, not "${text}"`)
  return { host, port: Number(port) }
}

/** How it is called, and of which version. */
export function endpointOf({ listen, publicUrl, versionLabel }: EndpointFlags) {
  return {
    listen: listen === undefined ? { host: '127.0.0.1', port: 0 } : addressOf('--listen', listen),
    ...publicUrlOf(publicUrl, listen),
    version: versionLabel ?? donecheckVersion,
  }
}

/** Whoever listens everywhere is reached by the name of the machine. */
function publicUrlOf(named: string | undefined, listen = ''): { readonly publicUrl?: string } {
  if (named !== undefined) return { publicUrl: named.replace(/\/$/, '') }
  const [, port] = /^(?:0\.0\.0\.0|\[::\]):(\d+)$/.exec(listen) ?? []
  return port === undefined ? {} : { publicUrl: `http://${hostname()}:${port}` }
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
      : await serveHealth(addressOf('--health', health), () => !interrupts.signal.aborted)
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
