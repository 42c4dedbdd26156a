/** A comment, a piece of plain text, an instruction, or a tag with its attributes in quotes. */
const piece =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)([^\s/>!?<]+)(?:\s+[^\s=>"'<]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/y

/**
 * Why a text is no whole XML: a tag that is not closed, in the wrong place, or cut off. Undefined: it is whole. The
 * parser itself takes what is broken and makes something of it. Takes time linear in the length.
 */
export function whyNotWhole(text: string): string | undefined {
  const open: string[] = []
  let elements = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', piece.lastIndex)) {
    piece.lastIndex = at
    const found = piece.exec(text)
    if (found === null) return `what begins at character ${at} is no tag, or is cut off`
    const [, closing, name, empty] = found
    if (name === undefined) continue
    if (closing === '/') {
      const expected = open.pop()
      if (expected !== name) return `</${name}> at character ${at} closes nothing`
    } else if (empty === '') open.push(name)
    if (closing === '' && open.length === (empty === '' ? 1 : 0)) elements += 1
  }
  if (open.length > 0) return `<${open.at(-1) ?? ''}> is not closed`
  return elements === 1 ? undefined : `it has ${elements} outermost elements`
}
