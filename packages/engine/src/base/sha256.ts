/** Returns the hex SHA-256 of the UTF-8 text. Loads `node:crypto` on first call. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text)
}

export interface Fence {
  readonly nonce: string
  open(title: string): string
  readonly close: string
}

/** Derived from the digest, so the same case reads the same; occurs in none of the texts. */
export function fenceAround(texts: readonly string[]): Fence {
  const digest = sha256(JSON.stringify(texts))
  for (let attempt = 0; ; attempt += 1) {
    const nonce = sha256(`${digest} ${attempt}`).slice(0, 16)
    if (texts.some((text) => text.includes(nonce))) continue
    return { nonce, open: (title) => `<<${nonce} ${title}>>`, close: `<<${nonce} end>>` }
  }
}
