import { stripVTControlCharacters } from 'node:util'

// C0 without tab and line feed, DEL, C1, marks that reverse the direction of writing, and what is no character.
const notPlain =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g

/**
 * Text of a model or a process for a file that others read: escape sequences and control characters are taken out, line
 * ends are line feeds, and half a surrogate pair is U+FFFD. Tabs and line feeds stay. XML 1.0 may hold all that is left.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(notPlain, '')
    .toWellFormed()
}

/** On one line, of at most so many UTF-16 units. */
export function plainLine(text: string, maxLength: number): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim()
  // A pair that is cut in two leaves half of it.
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`
}

/**
 * A path of somebody else's as one below the folder, `/` between its parts. Undefined for one that is absolute, leads out
 * or is empty: nobody is to be sent there.
 */
export function relativePath(path: string): string | undefined {
  const plain = plainText(path).replaceAll('\\', '/')
  if (/[\n\t]/.test(plain) || plain.startsWith('/') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(plain))
    return undefined
  const parts = plain.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/')
}
