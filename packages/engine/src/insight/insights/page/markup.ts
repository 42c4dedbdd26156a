/** HTML of which every text is escaped, because there is no other way to put one in. */
import { harmless } from '@donecheck/core/base'

export class Markup {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }
}

type Part = string | number | Markup | readonly Markup[]

/** Texts become texts, whatever stands in them; markup stays as it is. Attributes must be in double quotes. */
export function markup(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(pieces.reduce((html, piece, index) => html + htmlOf(parts[index - 1] ?? '') + piece))
}

function htmlOf(part: Part): string {
  if (part instanceof Markup) return part.html
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return part.map(({ html }) => html).join('\n')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

function escaped(text: string): string {
  return harmless(text.toWellFormed()).replace(/[&<>"'`]/g, (character) => entities[character] ?? '')
}
