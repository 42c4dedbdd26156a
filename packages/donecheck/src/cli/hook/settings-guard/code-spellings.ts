/** What stands in a code by another spelling: escapes, numbers of letters, encoded and turned texts, and what is joined. */

/** What code that writes, removes or starts something has in it. */
export const writingCode =
  /writ|unlink|\brm|remov|delet|renam|mov|replac|trunc|chmod|copy|link|cp|dump|put|touch|extract|unpack|retrieve|["'](?:[wax]b?\+?|r\+)["']|["'(]\s*\+?>|print[^;}\n]*>|system|exec|spawn|popen|run|`/iu

/** So many letters, and literals, are looked at: what is longer is no code that somebody types. */
const maxCodeLength = 100_000
const maxLiterals = 300
const maxJoined = 6

/** The code, and all that it hides in its literals, as far as it can be read without running it. */
export function spellingsOf(code: string): readonly string[] {
  const text = decodeEscapes(code.slice(0, maxCodeLength))
  const literals = literalsIn(text)
  const decoded = literals.flatMap((literal) => decodeLiteral(literal, text))
  return [text, ...decoded.map((literal) => `'${literal}'`)]
}

/** Texts in quotes, and some of them in a row. */
export function literalsIn(text: string): readonly string[] {
  const found = [...text.matchAll(/(["'`])((?:(?!\1)[^\n\\])*)\1/gu)]
  return found.slice(0, maxLiterals).map(([, , literal = '']) => literal)
}

export function joinLiterals(literals: readonly string[]): readonly string[] {
  return literals.flatMap((first, at) => {
    const joined: string[] = []
    let text = first
    for (const next of literals.slice(at + 1, at + maxJoined)) joined.push((text += next))
    const next = literals[at + 1]
    return next === undefined ? joined : [...joined, `${first}/${next}`]
  })
}

function decodeEscapes(code: string): string {
  return code
    .replaceAll(/\\x([0-9a-f]{2})|\\u\{?([0-9a-f]{4})\}?/giu, (_, byte?: string, unit?: string) =>
      letter(Number.parseInt(byte ?? unit ?? '', 16)),
    )
    .replaceAll(/\\([0-3]?[0-7]{2})/gu, (_, octal: string) => letter(Number.parseInt(octal, 8)))
    .replaceAll(
      /(?:\bchr|fromCharCode|fromCodePoint|bytes|bytearray|pack)?\(?\[?\s*((?:0x[0-9a-f]{2}|\d{2,3})(?:\s*,\s*(?:0x[0-9a-f]{2}|\d{2,3}))*)\s*\]?\)/giu,
      (whole, numbers: string) =>
        /^(?:chr|from|byte|pack|[([])/iu.test(whole)
          ? `'${numbers
              .split(',')
              .map((number) => letter(Number(number)))
              .join('')}'`
          : whole,
    )
}

function letter(code: number): string {
  return code > 31 && code < 0x10000 ? String.fromCharCode(code) : ' '
}

function decodeLiteral(literal: string, code: string): readonly string[] {
  const texts = [
    ...(/^[\w+/-]{8,}={0,2}$/u.test(literal) ? [Buffer.from(literal, 'base64').toString('latin1')] : []),
    ...(/^(?:[0-9a-f]{2}){6,}$/iu.test(literal) ? [Buffer.from(literal, 'hex').toString('latin1')] : []),
    ...(/::-1|revers|strrev/u.test(code) ? [Array.from(literal).reverse().join('')] : []),
    ...(/rot.?13|\btr\b/iu.test(code) ? [rotate13(literal)] : []),
  ]
  return texts.filter((text) => /^[\t\n\r -~]+$/u.test(text))
}

function rotate13(text: string): string {
  return text.replaceAll(/[a-z]/giu, (one) => {
    const base = one <= 'Z' ? 65 : 97
    return String.fromCharCode(((one.charCodeAt(0) - base + 13) % 26) + base)
  })
}
