/** XML, as far as reports need it. */
import { plainText } from './plain-text.ts'

/** Longest text of one element, in UTF-16 units. */
const maxText = 100_000

/** @param children elements and escaped texts, as they are */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[],
): string {
  const words = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`)
  const inside = children.join('')
  return inside === '' ? `<${name}${words.join('')}/>` : `<${name}${words.join('')}>${inside}</${name}>`
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/** Cut where it is too long for a reader of reports. */
export function xmlText(value: string): string {
  const plain = plainText(value)
  const cut = plain.length <= maxText ? plain : `${plain.slice(0, maxText).toWellFormed()}…`
  return cut.replace(/[&<>]/g, (character) => references[character] ?? '')
}

function attribute(value: string): string {
  return plainText(value).replace(/[&<>"'\n\t]/g, (character) => references[character] ?? '')
}
