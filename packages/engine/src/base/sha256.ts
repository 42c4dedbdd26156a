import type * as nodeCrypto from 'node:crypto'

/**
 * SHA-256 of texts. To load Node's crypto module takes a hook longer than all else it does, so the first short texts are read without
 * it; a process that asks for more gets it loaded once and is quick from then on.
 */

/** So many UTF-16 units in all, and loading the module is worth it. */
const maxOwnUnits = 16_384

let ownUnits = 0
let crypto: typeof nodeCrypto | undefined

/** Of its UTF-8 form, in hex. */
export function sha256(text: string): string {
  if (latest?.text === text) return latest.digest
  const digest = digestOf(text)
  // What is asked for again is short; a long text is not kept alive for it.
  if (text.length <= maxOwnUnits) latest = { text, digest }
  return digest
}

function digestOf(text: string): string {
  ownUnits += text.length
  if (ownUnits <= maxOwnUnits) return ownSha256(new TextEncoder().encode(text))
  return (crypto ??= process.getBuiltinModule('node:crypto')).hash('sha256', text)
}

/** A hook asks for that of its folder over and over. */
let latest: { readonly text: string; readonly digest: string } | undefined

/** As in FIPS 180-4. It runs cold, once or twice in a process: plain loops over numbers are what is quickest then. */
export function ownSha256(bytes: Uint8Array): string {
  const state = Int32Array.from(initial)
  const view = new DataView(padBytes(bytes).buffer)
  const words = new Int32Array(64)
  for (let offset = 0; offset < view.byteLength; offset += 64) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(offset + index * 4)
    extend(words)
    compress(state, words)
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** A one, zeros, and the length in bits, to whole blocks. */
function padBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64)
  block.set(bytes)
  block[bytes.length] = 0x80
  new DataView(block.buffer).setUint32(block.length - 4, bytes.length * 8)
  return block
}

function extend(words: Int32Array): void {
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15] ?? 0
    const late = words[index - 2] ?? 0
    const first = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3)
    const second = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10)
    words[index] = (words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second
  }
}

function compress(state: Int32Array, words: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let round = 0; round < 64; round += 1) {
    const mixedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const first = (h + mixedE + ((e & f) ^ (~e & g)) + (constants[round] ?? 0) + (words[round] ?? 0)) | 0
    const mixedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const second = (mixedA + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let index = 0; index < 8; index += 1) state[index] = (state[index] ?? 0) + (added[index] ?? 0)
}

/** The first bits of the fractional parts of the square roots of the first 8 primes. */
const initial = Int32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
)

/** The first bits of the fractional parts of the cube roots of the first 64 primes. */
const constants = Int32Array.from(
  [
    '428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5',
    'd807aa98 12835b01 243185be 550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174',
    'e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa 5cb0a9dc 76f988da',
    '983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967',
    '27b70a85 2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85',
    'a2bfe8a1 a81a664b c24b8b70 c76c51a3 d192e819 d6990624 f40e3585 106aa070',
    '19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f 682e6ff3',
    '748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2',
  ]
    .join(' ')
    .split(' '),
  (digits) => Number.parseInt(digits, 16),
)

export interface Fence {
  readonly nonce: string
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
