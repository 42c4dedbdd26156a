/** `donecheck serve`: runs, approvals and the page, for as long as nobody stops it. */
import { join, resolve } from 'node:path'
import { realPath, UsageError } from '@donecheck/engine/base'
import type { Store } from '@donecheck/engine/ports/store'
import { isInside } from '@donecheck/engine/store'
import type { RunningService, Webhooks } from '@donecheck/server'
import { reportFailure } from '../../process/failure.ts'
import { keepOwnModules } from '../../process/own-modules.ts'
import type { CliIo } from '../../process/io.ts'
import { paintLines, writeNotice } from '../../output/painter.ts'
import { readListenAddress } from '../../options/listen-address.ts'
import { openStore } from '../../settings/named-store.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'
import { isDatabase, storeFolderOf, assertStoreOutside } from '../../settings/store-folder.ts'
import { resolveWorkFolder } from '../../settings/work-folder.ts'
import { assertNoAgent } from '../check/approvals.ts'
import { openFleetLauncher } from '../fleet/fleet-launcher.ts'
import { processLauncher } from './process-launcher.ts'
import { linkOf, serveUntilInterrupted, serviceLine, type ServeFlags } from './serving.ts'

const defaultAddress = '127.0.0.1:4747'

/** @param target a run to show, or an exported file; only with `--read-only` */
export async function serveCommand(
  target: string | undefined,
  { json = false, readOnly = false, ...flags }: ServeFlags,
  io: CliIo,
): Promise<number> {
  try {
    if (readOnly) {
      const { serveReadOnly } = await import('./read-only.ts')
      await serveReadOnly(target, { json, ...flags }, io)
      return 0
    }
    if (target !== undefined || flags.open === true)
      throw new UsageError('Only --read-only takes a run or --open. Type: donecheck serve --read-only last')
    assertNoAgent(io)
    const { readTokenFile, storeMetrics } = await import('@donecheck/server')
    keepOwnModules()
    const {
      listen = defaultAddress,
      tokenFile,
      publicUrl = [],
      webhook = [],
      webhookSecretFile,
      ...named
    } = flags
    const { config } = settingsWithoutFile(named, io)
    const workFolder = resolveWorkFolder(config.workdir ?? '.', io)
    const storeFolder = storeFolderOf(config.store, workFolder, io)
    assertStoreOutside(storeFolder, workFolder)
    const store = await openStore(config.store, workFolder, io)
    const own = { workFolder: realPath(workFolder), environment: io.environment }
    const launcher =
      flags.fleet === undefined
        ? processLauncher({ ...own, store: isDatabase(config.store) ? config.store : storeFolder })
        : await openFleetLauncher(flags, config, workFolder, io)
    const options = {
      ...readListenAddress('--listen', listen),
      ...(tokenFile === undefined
        ? {}
        : { users: readTokenFile(outside(resolve(io.currentFolder, tokenFile), workFolder)) }),
      ...{ store, launcher, publicUrls: publicUrl, metrics: storeMetrics(store) },
    }
    const tell = await webhooksTo(webhook, webhookSecretFile, { store, storeFolder, workFolder, io })
    await serveUntilInterrupted(
      options,
      io,
      (service) => {
        const screen = () => `${paintLines(screenOf(service, workFolder, store), io)}\n`
        io.stdout.write(json ? serviceLine(service, store) : screen())
      },
      tell,
    )
    return 0
  } catch (error) {
    return reportFailure(error, json, io)
  }
}

/** @throws {UsageError} for a file that an agent at work could read: it would answer its own questions, or speak in our name */
function outside(file: string, workFolder: string): string {
  if (!isInside(file, workFolder)) return file
  throw new UsageError(`${file} lies where agents work; keep it outside of ${workFolder}`)
}

interface WebhookPlace {
  readonly store: Store
  readonly storeFolder: string
  readonly workFolder: string
  readonly io: CliIo
}

/** What begins to tell them. Undefined: nobody is to be told. @throws {UsageError} for a secret that is missing, or is none */
async function webhooksTo(
  urls: readonly string[],
  secretFile: string | undefined,
  { store, storeFolder, workFolder, io }: WebhookPlace,
): Promise<(() => Promise<Webhooks>) | undefined> {
  if (urls.length === 0) return undefined
  if (secretFile === undefined)
    throw new UsageError(
      '--webhook needs --webhook-secret-file FILE; "openssl rand -base64 32" makes a secret',
    )
  const { readWebhookSecret, startWebhooks } = await import('@donecheck/server')
  const secret = readWebhookSecret(outside(resolve(io.currentFolder, secretFile), workFolder))
  const file = join(storeFolder, 'webhooks.sqlite')
  const log = (line: string) => {
    writeNotice(line, io)
  }
  return () => startWebhooks({ store, urls, secret, file, log })
}

function screenOf(service: RunningService, workFolder: string, store: Store) {
  const quiet = (text: string) => ({ tone: 'quiet', text }) as const
  return [
    { tone: 'strong', text: `donecheck serves the runs of ${workFolder}` },
    quiet(''),
    { tone: 'plain', text: `  open   ${linkOf(service)}` },
    quiet(`  store  ${store.place}`),
    quiet('  stop   Ctrl-C; runs that it has started go on'),
    quiet(''),
    quiet(
      service.token === null
        ? 'Each user of the token file logs in with /login?token=TOKEN.'
        : 'The link is a key: whoever has it runs commands as you. It holds until the service stops.',
    ),
  ] as const
}
