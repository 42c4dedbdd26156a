/** Shell scripts, Makefiles and settings: every word that may be a path counts. */
import type { Reference } from './reference.ts'

const words =
  /(\$(?:\{[^{}\n]{0,80}\}|\([^()\n]{0,80}\)|\w+)"?\/)?(?<![\w@.+~*/-])([\w@.+~*-]+(?:\/[\w@.+~*-]+)*\/?)/gu

/** Comments are left out. What follows a variable is known by its last part only. */
export function lineReferences(text: string): readonly Reference[] {
  const found = new Map<string, Reference>()
  for (const line of text.split('\n')) {
    for (const [, variable, written = ''] of withoutComment(line).slice(0, 4_096).matchAll(words)) {
      if (written.startsWith('-') || !/[./*\w]/u.test(written)) continue
      found.set(written, variable === undefined ? { kind: 'path', written } : { kind: 'name', written })
    }
  }
  return [...found.values()]
}

function withoutComment(line: string): string {
  const comment = /(?:^|\s)#/u.exec(line)
  return comment === null ? line : line.slice(0, comment.index)
}
