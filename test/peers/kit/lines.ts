/** The streams that agents print: one JSON object a line. */
import { isRecord, type Body } from './wire/wire.ts'

/** Lines that are no JSON object are left out. */
export function jsonLines(text: string): readonly Body[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return []
    try {
      const value: unknown = JSON.parse(line)
      return isRecord(value) ? [value] : []
    } catch {
      return []
    }
  })
}

export function linesOfType(text: string, type: string): readonly Body[] {
  return jsonLines(text).filter((line) => line['type'] === type)
}
