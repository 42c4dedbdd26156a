/**
 * One line of text as markdown, for a heading or a cell, that shows exactly that text: whatever could be markup, a link, a picture, an address, a
 * table's border, HTML or mathematics is written as a character reference, which GitHub never takes for structure.
 */
export function markdownText(line: string): string {
  return line
    .replace(/[&<>"'\\`*_{}[\]()#+!|~@:$^=]/g, reference)
    .replace(/\s/g, ' ')
    .replace(/(?<=www)\./gi, reference)
}

function reference(character: string): string {
  return `&#${character.codePointAt(0) ?? 0xfffd};`
}
