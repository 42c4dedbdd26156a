/** Readers are woken when something was written, by whatever process. What it was they ask the store. */
import pg from 'pg'
import { connectionSettings, type Database, type DatabaseAddress } from './connection.ts'

export interface News {
  /** Something was written: others are told soon, once for all that is written meanwhile. */
  readonly tell: () => void
  /** @returns what ends it */
  readonly listen: (listener: () => void) => () => void
  /** What is to be told is told first. */
  readonly close: () => Promise<void>
}

/**
 * A message with each commit would make all commits of the server wait for each other: PostgreSQL lays messages into one queue, and
 * holds it until the disk has answered. So they are sent apart, at most so often.
 */
const tellEveryMs = 50
const reconnectAfterMs = 1_000

export function newsOf(address: DatabaseAddress, database: Database): News {
  const channel = `donecheck ${address.tenant}`
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let stop: (() => void) | undefined

  async function send(): Promise<void> {
    timer = undefined
    // Whoever is not told looks by itself after a while.
    await database.ask("SELECT pg_notify($1, '')", [channel]).catch(() => undefined)
  }

  function leave(): void {
    stop?.()
    stop = undefined
  }

  return {
    tell: () => {
      timer ??= setTimeout(() => void send(), tellEveryMs)
    },
    listen(listener) {
      listeners.add(listener)
      stop ??= follow(address, channel, () => listeners.forEach((each) => each()))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) leave()
      }
    },
    async close() {
      listeners.clear()
      leave()
      if (timer === undefined) return
      clearTimeout(timer)
      await send()
    },
  }
}

/** On a connection of its own, and on another when that breaks. @returns what ends it */
function follow(address: DatabaseAddress, channel: string, wake: () => void): () => void {
  let client: pg.Client | undefined
  let isOver = false

  function connect(): void {
    if (isOver) return
    const own = new pg.Client(connectionSettings(address))
    client = own
    own.on('notification', wake)
    own.on('error', () => undefined)
    own.once('end', () => void setTimeout(connect, reconnectAfterMs).unref())
    // What was told while nobody listened is not told again: whoever listens looks once.
    own
      .connect()
      .then(() => own.query(`LISTEN ${pg.escapeIdentifier(channel)}`))
      .then(wake)
      .catch(() => own.end().catch(() => undefined))
  }

  connect()
  return () => {
    isOver = true
    void client?.end().catch(() => undefined)
  }
}
