import { line } from '@donecheck/core/internal/base'
import { join, resolve } from 'node:path'
import { realPath, UsageError } from '@donecheck/engine/internal/base'
import type { Store } from '@donecheck/engine/internal/ports/store'
import { isInside, memoryStore } from '@donecheck/engine/store'
import type { RunningService, Webhooks, ServiceOptions } from '@donecheck/server'
import { keepOwnModules } from '../../process/own-modules.ts'
import { type CliIo, resolveWorkFolder } from '../../process/io.ts'
import { paintLines, writeNotice } from '../../output/wrap.ts'
import { openStore, isDatabase, storeFolderOf, assertStoreOutside } from '../../settings/store-folder.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'
import { assertNoAgent } from '../check/approvals.ts'
import { openFleetLauncher, type SubmitFlags } from '../fleet/submit.ts'
import { logTo, untilInterrupted } from '../fleet/up.ts'
import { processLauncher } from './process-launcher.ts'
import type { StoreFlags, Flags } from '../../options/flags.ts'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findRun } from '../../settings/recipe.ts'
import { importInto } from '../record/import.ts'
import { readListenAddress } from '../../options/option.ts'

const defaultAddress = '127.0.0.1:4747'

export async function serveCommand(
  target: string | undefined,
  { json = false, readOnly = false, ...flags }: ServeFlags,
  io: CliIo,
): Promise<number> {
  if (readOnly) {
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
  assertStoreOutside({ config, workFolder }, io)
  const store = await openStore({ config, workFolder }, io)
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
}

/** @throws {UsageError} for a file that the agent could read */
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

/** @returns undefined without URLs @throws {UsageError} for a missing or invalid secret */
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
  return () => startWebhooks({ store, urls, secret, file, log: logTo(io) })
}

function screenOf(service: RunningService, workFolder: string, store: Store) {
  return [
    line('strong', `donecheck serves the runs of ${workFolder}`),
    line('quiet', ''),
    line('plain', `  open   ${linkOf(service)}`),
    line('quiet', `  store  ${store.place}`),
    line('quiet', '  stop   Ctrl-C; runs that it has started go on'),
    line('quiet', ''),
    line(
      'quiet',
      service.token === null
        ? 'Each user of the token file logs in with /login?token=TOKEN.'
        : 'The link is a key: whoever has it runs commands as you. It holds until the service stops.',
    ),
  ] as const
}

type ServeFlags = StoreFlags &
  SubmitFlags &
  Flags<'listen' | 'tokenFile' | 'webhookSecretFile', 'readOnly' | 'open', 'publicUrl' | 'webhook'>

/** Closes the store at the end. @param show called when it listens */
async function serveUntilInterrupted(
  options: ServiceOptions,
  io: CliIo,
  show: (service: RunningService) => void,
  tell?: () => Promise<Webhooks>,
): Promise<void> {
  const { startService } = await import('@donecheck/server')
  let webhooks: Webhooks | undefined
  try {
    webhooks = await tell?.()
    const service = await startService({ ...options, log: logTo(io) })
    show(service)
    await untilInterrupted({}, io, () => service.close())
  } finally {
    await webhooks?.close()
    await options.store.close()
  }
}

function serviceLine({ url, token }: RunningService, { place }: ServiceOptions['store']): string {
  return `${JSON.stringify({ url, token, place })}\n`
}

export function linkOf({ url, token }: RunningService, path = '/'): string {
  return token === null ? `${url}${path}` : `${url}/login?token=${token}&to=${encodeURIComponent(path)}`
}

const decidingFlags = [
  ['tokenFile', '--token-file'],
  ['publicUrl', '--public-url'],
  ['webhook', '--webhook'],
  ['webhookSecretFile', '--webhook-secret-file'],
  ['fleet', '--fleet'],
  ['repository', '--repository'],
  ['revision', '--revision'],
] as const

/** @throws {UsageError} for a flag that needs more than reading */
async function serveReadOnly(
  target: string | undefined,
  { listen = '127.0.0.1:0', open = false, json = false, ...flags }: ServeFlags,
  io: CliIo,
): Promise<void> {
  const deciding = decidingFlags.find(([key]) => flags[key] !== undefined)
  if (deciding !== undefined)
    throw new UsageError(`Leave out ${deciding[1]}: --read-only starts and decides nothing`)
  const { store, path } = await openShown(target, flags, io)
  const options = { store, ...readListenAddress('--listen', listen), ownerRoles: ['read'] } as const
  await serveUntilInterrupted(options, io, (service) => {
    if (json) {
      io.stdout.write(serviceLine(service, store))
      return
    }
    const link = linkOf(service, path)
    const lines = [line('plain', link), line('quiet', `shows ${store.place}; Ctrl-C ends it`)] as const
    io.stdout.write(`${paintLines(lines, io)}\n`)
    if (open && io.stdout.isTTY === true) openBrowser(link, io)
  })
}

async function openShown(
  target: string | undefined,
  flags: StoreFlags,
  io: CliIo,
): Promise<{ readonly store: Store; readonly path: string }> {
  if (target !== undefined && existsSync(resolve(io.currentFolder, target))) {
    const store = memoryStore()
    const [only, ...others] = await importInto(store, target, io)
    return { store, path: only === undefined || others.length > 0 ? '/' : pathOf(only) }
  }
  const { config, workFolder } = settingsWithoutFile(flags, io)
  const store = await openStore({ config, workFolder }, io)
  try {
    return { store, path: target === undefined ? '/' : pathOf(await findRun(store, target)) }
  } catch (error) {
    await store.close()
    throw error
  }
}

function pathOf(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

function openBrowser(link: string, io: CliIo): void {
  const [program = 'xdg-open', ...words] = openers[process.platform] ?? []
  spawn(program, [...words, link], { stdio: 'ignore', detached: true })
    .on('error', () => {
      writeNotice(`no browser can be opened from here (${program}); open the link by hand`, io)
    })
    .unref()
}
