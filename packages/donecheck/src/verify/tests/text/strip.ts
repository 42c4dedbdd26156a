/** Colours and other escape sequences of terminals. */
// eslint-disable-next-line no-control-regex
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** A text as it would be read, with `\n` at the end of every line. */
export function withoutColours(text: string): string {
  return text.replace(escapes, '').replace(/\r\n?/g, '\n')
}
