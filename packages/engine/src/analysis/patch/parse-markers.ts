/** The marker lines of a patch. Case matters, and the one space after each colon. */

export const beginMarker = '*** Begin Patch'
export const endMarker = '*** End Patch'
/** What is said where the patch does not end with it. */
export const lastLineMessage = `Invalid patch: The last line of the patch must be '${endMarker}'`
export const endOfFileMarker = '*** End of File'
export const noNewlineMarker = '\\ No newline at end of file'
/** Here alone the space after the colon may be left out. */
export const environmentMarker = '*** Environment ID:'

export interface Header {
  readonly kind: 'add' | 'delete' | 'update'
  readonly path: string
}

const headers = { add: '*** Add File: ', delete: '*** Delete File: ', update: '*** Update File: ' } as const

/** @param line without white space around it where the place allows it */
export function headerOf(line: string): Header | undefined {
  if (!line.startsWith('*** ')) return undefined
  for (const kind of ['add', 'delete', 'update'] as const) {
    const path = after(headers[kind], line)
    if (path !== undefined) return { kind, path }
  }
  return undefined
}

export function moveTargetOf(line: string): string | undefined {
  return after('*** Move to: ', line)
}

/** What follows `@@ `; the empty text after a bare `@@`; undefined: no marker. */
export function contextOf(line: string): string | undefined {
  return line === '@@' ? '' : after('@@ ', line)
}

/** `@@ -1,2 +3,4 @@ text`, as unified diffs have it, says no more than `@@ text`. */
export function withoutRange(context: string): string {
  const range = /^-\d+(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(context)?.[0]
  return range === undefined ? context : context.slice(range.length).replace(/^ /, '')
}

function after(marker: string, line: string): string | undefined {
  return line.startsWith(marker) ? line.slice(marker.length) : undefined
}
