/** What others have written is data: it stands between lines that it cannot forge. */
import { sha256 } from './sha256.ts'

export interface Fence {
  readonly nonce: string
  /** The line before a text, with what it is. */
  open(title: string): string
  readonly close: string
}

/** Of the digest of the texts, so that the same case reads the same way; none of them contains it. */
export function fenceAround(texts: readonly string[]): Fence {
  const digest = sha256(JSON.stringify(texts))
  for (let attempt = 0; ; attempt += 1) {
    const nonce = sha256(`${digest} ${attempt}`).slice(0, 16)
    if (texts.some((text) => text.includes(nonce))) continue
    return { nonce, open: (title) => `<<${nonce} ${title}>>`, close: `<<${nonce} end>>` }
  }
}
