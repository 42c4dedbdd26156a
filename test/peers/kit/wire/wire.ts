/** What one protocol does with a request and with a reply. */
import type { Failure, Protocol, Spoken } from '../step.ts'

export type Body = Readonly<Record<string, unknown>>

export interface Wire {
  readonly protocol: Protocol
  /** Whether it serves this path, without the query. */
  serves(path: string): boolean
  /** What is asked without a model's reply: the counting of tokens. */
  aside?(path: string): unknown
  isStreaming(path: string, body: Body): boolean
  tools(body: Body): readonly string[]
  /** The messages in their order, each with its side and its text. */
  messages(body: Body): readonly Said[]
  stream(spoken: Spoken): string
  whole(spoken: Spoken): unknown
  failure(failure: Failure): unknown
}

export interface Said {
  /** `told`: by the user, the system or a tool. */
  readonly side: 'told' | 'said'
  readonly text: string
}

/** Server-sent events, each with its name. */
export function namedEvents(events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** Server-sent events without a name. */
export function dataEvents(events: readonly unknown[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
}

export function isRecord(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function recordsIn(value: unknown): readonly Body[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** All texts in a value of the kind that protocols send: a text, or parts that hold texts at some depth. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textIn).filter(isNotEmpty).join('\n')
  if (!isRecord(value)) return ''
  return ['text', 'content', 'output', 'parts', 'functionResponse', 'response', 'error']
    .map((key) => textIn(value[key]))
    .filter(isNotEmpty)
    .join('\n')
}

export function namesIn(value: unknown): readonly string[] {
  return recordsIn(value).flatMap(({ name, type }) => {
    const found = name ?? type
    return typeof found === 'string' ? [found] : []
  })
}

function isNotEmpty(text: string): boolean {
  return text !== ''
}
