/** A server as a process of its own: gone with this one, and its last words known to whoever waits for it. */
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf, UsageError } from '@donecheck/engine/base'
import { standBy } from '@donecheck/engine/process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createRequire } from 'node:module'

export interface ServerProgram {
  readonly program: string
  readonly words: readonly string[]
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Default: that of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

export interface ServerProcess {
  readonly processId: number
  /** Its exit code; null where it was killed or could not be started. */
  readonly exited: Promise<number | null>
  /** The end of what it has said so far. */
  readonly said: () => string
  readonly isOver: () => boolean
  /** As Ctrl-C would: connections are cut. */
  readonly stop: () => Promise<void>
  /** As a crash would. */
  readonly kill: () => Promise<void>
}

const tailLength = 8_000

/** In a group of its own: what the keyboard sends to us does not reach it. */
export function startServer({ program, words, folder, environment, user }: ServerProgram): ServerProcess {
  const guard = standBy()
  const child = spawn(program, words, {
    cwd: folder,
    detached: true,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  if (child.pid !== undefined) guard.watch(child.pid)
  let text = ''
  const note = (chunk: string) => (text = (text + chunk).slice(-tailLength))
  child.stderr.setEncoding('utf8').on('data', note)
  const over = Promise.withResolvers<number | null>()
  // All of its processes write to it: when that is closed, none is left, and it can be started again.
  child.once('close', over.resolve).once('error', (error) => {
    note(messageOf(error))
    over.resolve(null)
  })
  let isOver = false
  const exited = over.promise.finally(() => {
    isOver = true
    guard.dismiss()
  })
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    child.kill(signal)
    await exited
  }
  return {
    processId: child.pid ?? 0,
    exited,
    said: () => text.trim(),
    isOver: () => isOver,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
  }
}

const readyWithinMs = 120_000
const lookEveryMs = 50

/** @throws {UsageError} where it ends before, or is not ready in time; the message has its last words */
export async function untilReady(
  title: string,
  server: ServerProcess,
  isReady: () => boolean | Promise<boolean>,
): Promise<void> {
  const untilMs = Date.now() + readyWithinMs
  while (!(await isReady())) {
    if (server.isOver() || Date.now() > untilMs) {
      await server.kill()
      throw new UsageError(`${title} did not start: ${server.said()}`)
    }
    await pause(lookEveryMs)
  }
}

/** A port of this machine's loopback that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new UsageError('no port of this machine is free')
  return address.port
}

interface Wanted {
  readonly title: string
  readonly packageName: string
  /** A file of it that can be asked for. Default: its entry. */
  readonly entry?: string
}

/**
 * Servers come in packages that users install, each with a package for this platform beside it.
 * @param from the folder that is looked in first; then beside this package, where it is installed globally
 * @param platformFile of which package for this platform, and which file
 * @throws {UsageError} where it is not there
 */
export function findInstalled(
  { title, packageName, entry = packageName }: Wanted,
  platformFile: string,
  from: string | undefined,
): string {
  const folders = [...(from === undefined ? [] : [from]), import.meta.dirname]
  try {
    const main = createRequire(import.meta.url).resolve(entry, { paths: folders })
    return createRequire(main).resolve(platformFile)
  } catch (error) {
    throw new UsageError(
      `${title} is missing here: npm install ${packageName}, with --global if donecheck was installed so (${messageOf(error).split('\n', 1).join()})`,
      { cause: error },
    )
  }
}
