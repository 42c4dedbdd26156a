/** Which lines belong to the one above them, by their indentation: true of nearly all languages, and of prose. */

const columnsOfTab = 4

/**
 * For each line the index of the first line below that does not belong to its block: one that is indented no deeper, unless
 * it is blank, begins by closing a bracket, or only opens one. Linear in the lines.
 */
export function blockEndsOf(texts: readonly string[]): readonly number[] {
  const ends = Array.from(texts, () => texts.length)
  /** Lines below that may end a block, the nearest last; the farther, the less indented. */
  const enders: { readonly index: number; readonly indent: number }[] = []
  for (let index = texts.length - 1; index >= 0; index -= 1) {
    const text = texts[index] ?? ''
    const indent = indentOf(text)
    ends[index] = enders.findLast((ender) => ender.indent <= indent)?.index ?? texts.length
    if (!endsBlocks(text)) continue
    while ((enders.at(-1)?.indent ?? -1) >= indent) enders.pop()
    enders.push({ index, indent })
  }
  return ends
}

function endsBlocks(text: string): boolean {
  const words = text.trim()
  return !/^[)\]}]/.test(words) && !/^[([{]?$/.test(words)
}

function indentOf(text: string): number {
  let indent = 0
  for (const character of text) {
    if (character === ' ') indent += 1
    else if (character === '\t') indent += columnsOfTab
    else break
  }
  return indent
}
