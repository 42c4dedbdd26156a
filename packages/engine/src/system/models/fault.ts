/** Reads what a provider package threw, which may be anything, into the few facts that we classify by. */

export interface Fault {
  readonly message: string
  /** The error class's own name, such as `AI_APICallError`. */
  readonly name: string
  /** HTTP status, or what the provider says is its like. */
  readonly status: number | undefined
  /** The provider's own words for the kind of error, such as `rate_limit_error`. */
  readonly words: readonly string[]
  /** Code of the network or of the system, such as `ECONNREFUSED`. */
  readonly networkCode: string | undefined
  /** Origin and path; no user, no query. */
  readonly address: string | undefined
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Of the refusal; empty if there was none. */
  readonly body: string
}

/** Of the system, of Node's `fetch` and of TLS; other `ERR_` codes are mistakes in the call. */
const networkCodes = /^(E(?!RR_)[A-Z]|UND_ERR_|ERR_(SSL|TLS))/

type Fields = Readonly<Record<string, unknown>>

/** A chain of causes longer than that is a circle. */
const maxChainLength = 8
const maxMessageLength = 500
const maxBodyLength = 20_000

export function readFault(error: unknown): Fault {
  const chain = causesOf(error)
  const outer = chain[0] ?? {}
  return {
    message: shorten(messageOf(error)),
    name: textOf(outer['name']) ?? '',
    status: numberOf(outer['statusCode']),
    words: wordsOf(outer),
    networkCode: chain
      .map((fields) => textOf(fields['code']))
      .find((code) => code !== undefined && networkCodes.test(code)),
    address: addressOf(textOf(outer['url'])),
    headers: headersOf(fieldsOf(outer['responseHeaders'])),
    body: (textOf(outer['responseBody']) ?? '').slice(0, maxBodyLength),
  }
}

function causesOf(error: unknown): readonly Fields[] {
  const chain: Fields[] = []
  let current = fieldsOf(error)
  while (current !== undefined && chain.length < maxChainLength) {
    chain.push(current)
    current = fieldsOf(current['cause'])
  }
  return chain
}

function wordsOf(outer: Fields): readonly string[] {
  const data = fieldsOf(outer['data'])
  const places = [outer, data, fieldsOf(data?.['error'])]
  return places.flatMap((place) =>
    [textOf(place?.['type']), textOf(place?.['code']), textOf(place?.['status'])].filter(
      (word) => word !== undefined,
    ),
  )
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  return textOf(fieldsOf(error)?.['message']) ?? 'no reason given'
}

function shorten(text: string): string {
  return text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength)} …`
}

/** A URL without what may be secret in it. */
export function addressOf(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`
}

function headersOf(fields: Fields | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(fields ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name.toLowerCase(), value] as const] : [],
  )
  return Object.fromEntries(entries)
}

function fieldsOf(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
