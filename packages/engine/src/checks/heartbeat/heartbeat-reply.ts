/** What a drive answers when it has nothing to tell. */
export const allClearToken = 'HEARTBEAT_OK'

export interface HeartbeatReply {
  /** The token stands at its beginning or its end. */
  readonly claimsAllClear: boolean
  /** Everything but the token: whoever the reply is for reads all of it. */
  readonly rest: string
}

/** Marks of bold, code, quotes and tags around the token. */
const around = String.raw`(?:[*_\x60"'~]|<\/?\w+>)*`
const atStart = new RegExp(
  String.raw`^\s*${around}${allClearToken}(?![A-Za-z0-9_])${around}[.!,:;–—-]{0,4}`,
  'u',
)
const atEnd = new RegExp(
  String.raw`${around}(?<![A-Za-z0-9_])${allClearToken}${around}[^\p{L}\p{N}_\n]{0,4}\s*$`,
  'u',
)

/** In the middle of a text the token is a word like any other. */
export function readHeartbeatReply(text: string): HeartbeatReply {
  let rest = text
  for (;;) {
    const stripped = rest.replace(atStart, '').replace(atEnd, '')
    if (stripped === rest) break
    rest = stripped
  }
  return { claimsAllClear: rest !== text, rest: rest.trim() }
}
