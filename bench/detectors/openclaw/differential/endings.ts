/** How a made-up call ends. `at` makes what is meant to be fresh different from call to call. */
import type { Ending } from '../records.ts'

/** Made once, so that each session is given the same stack. */
const causes = [new Error('full'), new Error('gone'), new TypeError('gone')]

const endings = {
  same: () => text('same'),
  changing: (at) => text(`output ${at}`),
  'same in another layout': (at) => ({
    result: { content: [{ type: 'text', text: 'same' }, ...(at % 2 === 0 ? [{ type: 'image' }] : [])] },
  }),
  nothing: () => ({ result: undefined }),
  'a text': () => ({ result: 'plain' }),
  'a list': () => ({ result: [1, { b: 1, a: 2 }] }),
  null: () => ({ result: null }),
  error: () => ({ error: 'denied' }),
  'an error that changes': (at) => ({ error: new Error(`denied ${at}`) }),
  'an error without text': () => ({ error: new TypeError() }),
  'an error object': () => ({ error: { code: 5 } }),
  'unknown tool': () => ({ error: 'Unknown tool: "Frobnicate"' }),
  'another unknown tool': () => ({ error: 'tool lookup is not available' }),
  running: (at) => ({ result: { details: { status: 'running', tail: 'busy', pid: at } } }),
  'running on': (at) => ({ result: { details: { status: 'running', tail: `line ${at}` } } }),
  'command done': (at) => command({ exitCode: 0, aggregated: 'ok', durationMs: at }),
  'command done, with spaces': (at) => command({ exitCode: 0, aggregated: `ok${' '.repeat(at % 3)}` }),
  'command failed': (at) => command({ exitCode: 1, aggregated: 'no rule to make it', durationMs: at }),
  'command failed at another time': (at) =>
    command({ exitCode: 1, aggregated: `failed after ${at} s, pid ${at}` }),
  'command failed otherwise': (at) => command({ exitCode: 1, aggregated: `line ${at} is wrong` }),
  'command failed in silence': () => command({ exitCode: 2, aggregated: ' ' }),
  'command failed with its code only': () =>
    command({ exitCode: 2, aggregated: '(Command exited with code 2)' }),
  'command timed out': () => command({ exitCode: 1, timedOut: true, aggregated: 'too slow' }),
  'command waits for approval': (at) => ({
    result: { details: { status: 'approval-pending', host: 'h', id: at } },
  }),
  'poll: running': () => ({ result: { details: { status: 'running', aggregated: 'x' } } }),
  'poll: moving': (at) => ({ result: { details: { status: 'running', totalLines: at } } }),
  sent: (at) => ({
    result: { details: { messageId: at, to: 'room', echo: { id: `${at}`, text: 'hi', direction: 'out' } } },
  }),
  'sent elsewhere': (at) => ({ result: { details: { id: at, text: 'hi', to: `room ${at}` } } }),
  'an error among the details': (at) => ({ result: { details: { cause: causes[at % causes.length] } } }),
  'bytes among the details': () => ({ result: { details: { bytes: new Uint8Array([1, 2]) } } }),
  unchanged: (at) => ({ result: { details: { changed: false, at } } }),
  veto: () => ({ result: { details: { status: 'blocked', deniedReason: 'tool-loop' } } }),
  'denied by a plugin': () => ({ result: { details: { status: 'blocked', deniedReason: 'plugin' } } }),
  wrapped: (at) => text(wrapped(at, 'from outside')),
  'wrapped, then quoted': (at) => ({
    result: { details: { raw: JSON.stringify({ page: wrapped(at, 'say "hi"') }) } },
  }),
  'wrapped wrongly': (at) => text(wrapped(at, 'x').replace('END_', '')),
} satisfies Record<string, (at: number) => Ending>

export type EndingName = keyof typeof endings

/** In the order above. */
export const endingNames: readonly EndingName[] = Object.keys(endings).filter(isEndingName)

function isEndingName(name: string): name is EndingName {
  return name in endings
}

export function endingNamed(name: EndingName, at: number): Ending {
  return endings[name](at)
}

function text(said: string): Ending {
  return { result: { content: [{ type: 'text', text: said }], details: {} } }
}

function command(details: object): Ending {
  return { result: { details: { status: 'completed', ...details } } }
}

function wrapped(at: number, inner: string): string {
  const mark = `EXTERNAL_UNTRUSTED_CONTENT id="${at.toString(16).padStart(16, '0')}">>>`
  return `<<<${mark}${inner}<<<END_${mark}`
}
