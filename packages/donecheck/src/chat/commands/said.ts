import type { Line } from '@donecheck/engine/report'

export function plain(text: string): Line {
  return { tone: 'plain', text }
}

export function quiet(text: string): Line {
  return { tone: 'quiet', text }
}

/** `"npm test"` as it is meant: without the quotes around all of it. */
export function unquoted(words: string): string {
  const [, , inside] = /^(["'])(.*)\1$/s.exec(words.trim()) ?? []
  return inside ?? words.trim()
}
