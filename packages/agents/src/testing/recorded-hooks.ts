import { readFileSync } from 'node:fs'

export interface RecordedHook {
  readonly event: string
  readonly payload: unknown
}

/** What an agent has sent to its hooks: one object of `event` and `payload` a line. */
export function recordedHooks(file: URL): readonly RecordedHook[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedHook)
}
