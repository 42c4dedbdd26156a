/** `donecheck view`: the page over a store or a file, for one who looks. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Store } from '@donecheck/engine/ports/store'
import { memoryStore } from '@donecheck/engine/store'
import { reportFailure } from '../../process/failure.ts'
import type { CliIo } from '../../process/io.ts'
import { paintLines, writeNotice } from '../../output/painter.ts'
import type { StoreFlags } from '../../options/flags.ts'
import { findRun } from '../../settings/find-run.ts'
import { openStore } from '../../settings/named-store.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'
import { importInto } from '../record/exchange/import.ts'
import { linkOf, serveUntilInterrupted } from './serve.ts'

export interface ViewFlags extends StoreFlags {
  readonly open?: boolean
}

export async function viewCommand(
  target: string | undefined,
  { open = false, ...flags }: ViewFlags,
  io: CliIo,
): Promise<number> {
  try {
    const { store, path } = await shownOf(target, flags, io)
    const options = { store, host: '127.0.0.1', port: 0, ownerRoles: ['read'] } as const
    await serveUntilInterrupted(options, io, (service) => {
      const link = linkOf(service, path)
      const lines = [
        { tone: 'plain', text: link },
        { tone: 'quiet', text: `shows ${store.place}; Ctrl-C ends it` },
      ] as const
      io.stdout.write(`${paintLines(lines, io)}\n`)
      if (open && io.stdout.isTTY === true) openBrowser(link, io)
    })
    return 0
  } catch (error) {
    return reportFailure(error, false, io)
  }
}

async function shownOf(
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
