/** What both services do, the one that decides and the one that only shows: listen until an interrupt. */
import type { RunningService, ServiceOptions, Webhooks } from '@donecheck/server'
import type { StoreFlags } from '../../options/flags.ts'
import { writeNotice } from '../../output/painter.ts'
import type { CliIo } from '../../process/io.ts'
import { listenForInterrupts } from '../../process/signals.ts'
import type { SubmitFlags } from '../fleet/submit.ts'

export interface ServeFlags extends StoreFlags, SubmitFlags {
  readonly listen?: string
  /** Nothing can be started or decided. */
  readonly readOnly?: boolean
  /** Opens the browser, if this is a terminal. */
  readonly open?: boolean
  readonly tokenFile?: string
  readonly publicUrl?: readonly string[]
  readonly webhook?: readonly string[]
  readonly webhookSecretFile?: string
}

/** The store is closed with the service. @param show is called when it listens @param tell begins what tells others meanwhile */
export async function serveUntilInterrupted(
  options: ServiceOptions,
  io: CliIo,
  show: (service: RunningService) => void,
  tell?: () => Promise<Webhooks>,
): Promise<void> {
  const { startService } = await import('@donecheck/server')
  const over = Promise.withResolvers<undefined>()
  const interrupts = listenForInterrupts(
    () => {
      over.resolve(undefined)
    },
    () => process.exit(0),
  )
  let webhooks: Webhooks | undefined
  try {
    webhooks = await tell?.()
    const service = await startService({
      ...options,
      log: (line) => {
        writeNotice(line, io)
      },
    })
    show(service)
    await over.promise
    await service.close()
  } finally {
    interrupts.dispose()
    await webhooks?.close()
    await options.store.close()
  }
}

/** Where the service listens and what it serves, as one line for programs. */
export function serviceLine({ url, token }: RunningService, { place }: ServiceOptions['store']): string {
  return `${JSON.stringify({ url, token, place })}\n`
}

/** Logs a browser in. @param path where it leads */
export function linkOf({ url, token }: RunningService, path = '/'): string {
  return token === null ? `${url}${path}` : `${url}/login?token=${token}&to=${encodeURIComponent(path)}`
}
