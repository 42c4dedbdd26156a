/** The first line of a stack trace that stands in this file, from 1. */
export function lineIn(trace: string, file: string): number | undefined {
  const at = trace.indexOf(`${file}:`)
  if (at < 0) return undefined
  const line = Number(/^\d+/.exec(trace.slice(at + file.length + 1, at + file.length + 10))?.[0])
  return Number.isSafeInteger(line) && line > 0 ? line : undefined
}
