/** `donecheck serve --read-only`: the page on a store or an exported file, only to look. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Store } from '@donecheck/engine/ports/store'
import { UsageError } from '@donecheck/engine/base'
import { memoryStore } from '@donecheck/engine/store'
import type { CliIo } from '../../process/io.ts'
import { paintLines, writeNotice } from '../../output/painter.ts'
import type { StoreFlags } from '../../options/flags.ts'
import { findRun } from '../../settings/find-run.ts'
import { openStore } from '../../settings/named-store.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'
import { importInto } from '../record/exchange/import.ts'
import { readListenAddress } from '../../options/listen-address.ts'
import { linkOf, serveUntilInterrupted, serviceLine, type ServeFlags } from './serving.ts'

/** Flags that only make sense if runs can be started or decided. */
const decidingFlags = [
  ['tokenFile', '--token-file'],
  ['publicUrl', '--public-url'],
  ['webhook', '--webhook'],
  ['webhookSecretFile', '--webhook-secret-file'],
  ['fleet', '--fleet'],
  ['repository', '--repository'],
  ['revision', '--revision'],
] as const

/**
 * Serves the page on a free port of this machine until it is interrupted. It starts nothing and answers no question.
 * @param target a run, or a file that was exported; undefined shows all runs
 * @throws {UsageError} for a flag that needs more than reading
 */
export async function serveReadOnly(
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
    const lines = [
      { tone: 'plain', text: link },
      { tone: 'quiet', text: `shows ${store.place}; Ctrl-C ends it` },
    ] as const
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
  const store = await openStore(config.store, workFolder, io)
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

/** What a desktop opens an address with; where there is none, the link stands there to be opened by hand. */
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
