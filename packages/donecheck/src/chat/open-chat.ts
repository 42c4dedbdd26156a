import type { Readable, Writable } from 'node:stream'
import { harmless, type Line } from '@donecheck/engine/display'
import type { ChatHost, Theme } from './host.ts'
import { plainFace } from './faces/plain-face.ts'
import { Session } from './session/session.ts'
import { wayOn } from './session/runs.ts'

export interface ChatOptions {
  readonly host: ChatHost
  readonly theme: Theme
  readonly isPlain: boolean
  readonly input: Readable
  readonly output: Writable
  readonly greeting: readonly Line[]
}

const lastSignals = ['SIGHUP', 'SIGTERM'] as const

/** Resolves when the user has left. @returns the id of a run that can be resumed */
export async function openChat(options: ChatOptions): Promise<string | undefined> {
  const { host, theme, isPlain, input, output, greeting } = options
  const session = new Session(host)
  session.show(greeting)
  const history = (await host.earlierWords()).map(harmless)
  const face = isPlain
    ? plainFace({ session, theme, input, output, history })
    : (await import('./faces/terminal-face.ts')).terminalFace({ session, theme, history })
  // A closed terminal ends the session; the run is stopped first.
  for (const signal of lastSignals) process.on(signal, session.leave)
  input.on('end', session.leave).on('close', session.leave)
  try {
    await session.draw(face)
  } finally {
    for (const signal of lastSignals) process.off(signal, session.leave)
    input.off('end', session.leave).off('close', session.leave)
  }
  const { run } = session
  return run === undefined || wayOn(run, true) === 'new' ? undefined : run.runId
}
