/** A value whose name says that it is secret: `API_KEY=…`, `"password": "…"`, `client_secret: …`, `--token …`. */
import type { SecretShape } from './secret-shape.ts'

const names = 'passw(?:or)?d|passphrase|pwd|secret|token|credential|(?<=[a-z0-9][_-]?)key'
/** Before a name: what leaves no doubt that it is not the key of a table or a token of a text. */
const strongBefore = '(?<=(?<strong>api|access|auth|client|private|secret|refresh|x-[a-z]{1,20})[_-]?)'
const set = '[ \\t]{0,3}(?:=>|:=|=|:|>)[ \\t]{0,3}'
const valueBehindQuote = `(?<=["'\`])[^\\s"'\`\\\\]{6,4096}`
// Behind what follows next, such as a bracket, it is part of the code of a program.
const bareValue = `[^\\s"'\`\\\\<>&,;=(){}[\\]]{6,4096}={0,2}(?![^\\s"'\`\\\\<>&,;)}\\]])`

export const namedValue: SecretShape = {
  name: 'named-secret',
  hints: ['assw', 'ASSW', 'assphrase', 'ASSPHRASE', 'wd', 'WD', 'ecret', 'ECRET', 'oken', 'OKEN', 'redential', 'REDENTIAL', 'key', 'Key', 'KEY'], // prettier-ignore
  source: `(?:${strongBefore}|)(?<name>${names})(?:[_-]?(?:base|value|[0-9]{1,3}))?(?<set>\\\\{0,2}["'\`)\\]]{0,2}(?:${set}|[ \\t](?:(?:is|was)[ \\t])?)\\\\{0,2}["'\`]?)(?<secret>${valueBehindQuote}|${bareValue})`,
  flags: 'i',
  accepts: (found, text) => {
    const { name = '', strong, set: sign = '', secret = '' } = found.groups ?? {}
    if (placeholder.test(secret)) return false
    if (looksRandom(secret)) return true
    const before = text.slice(Math.max(0, found.index - 40), found.index)
    const isFlag = /(?:^|\s)--[\w-]*$/.test(before)
    const isCapital = name === name.toUpperCase() && /^[=:]/.test(sign)
    const isOfJson = /^\\{0,2}"[ \t]*:/.test(sign)
    if (!isCapital && !isOfJson && !isFlag && (strong === undefined || !/[=:]|^>/.test(sign))) return false
    const hasBoth = /[0-9]/.test(secret) && /[a-z]/i.test(secret)
    if (/^p/i.test(name)) return hasBoth || /[^\w.:/-]/.test(secret)
    if (!/^key/i.test(name) || strong !== undefined) return hasBoth && secret.length >= 8
    return isCapital && /(?=[a-z+/]*[0-9])(?=[0-9+/]*[a-z])[a-z0-9+/]{16}/i.test(secret)
  },
}

/** Variables of a shell or a template, and what a person puts where a value belongs. */
const placeholder =
  /^[$<{%*@]|\$[{(]|\{\{|\[masked:|x{4}|\*{3}|your|placeholder|redacted|(?:^|\.)env\.|^https?:|\.\w+\(/i

/** Digests, ids, paths, versions, sums of packages and pictures, words and small numbers that are joined. */
const known =
  /^[0-9a-f]+$|^[0-9A-F]+$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|^sha\d+[-=]|^[./~]|^data:|^\d[\d.:TZ+-]*$|^iVBOR|^\/9j\/|^R0lGOD|^PHN2Zy|^(?:[a-z]+\d{0,2}|\d{1,4})(?:[-_.:/](?:[a-z]+\d{0,2}|\d{1,4}))+$/i

function looksRandom(value: string): boolean {
  if (value.length < 16 || known.test(value)) return false
  const kinds = Array.from(value.slice(0, 400), kindOf)
  const digits = kinds.filter((kind) => kind === 'digit').length
  const letters = kinds.filter((kind) => kind === 'small' || kind === 'capital').length
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length
  // Names change from small letters to capitals or to a hyphen once in a word; a word has more than three letters.
  return digits >= 2 && letters >= 8 && changes * 3 >= kinds.length && new Set(value).size >= 12
}

function kindOf(letter: string): 'digit' | 'small' | 'capital' | 'sign' {
  if (letter >= '0' && letter <= '9') return 'digit'
  if (letter >= 'a' && letter <= 'z') return 'small'
  return letter >= 'A' && letter <= 'Z' ? 'capital' : 'sign'
}
