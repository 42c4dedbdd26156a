import type { Line } from '@donecheck/engine/report'

export function plain(text: string): Line {
  return { tone: 'plain', text }
}

export function quiet(text: string): Line {
  return { tone: 'quiet', text }
}

/** Removes quotes around the whole text. */
export function unquoted(words: string): string {
  const [, , inside] = /^(["'])(.*)\1$/s.exec(words.trim()) ?? []
  return inside ?? words.trim()
}
