/** Tests inside sources of Rust: items under `#[cfg(test)]` and functions under `#[test]`. */

interface TestItem {
  /** How the item begins, and which one of those it is. */
  readonly id: string
  readonly start: number
  readonly end: number
  readonly depth: number
}

const attribute = /#\s{0,9}!?\s{0,9}\[/uy
const ofTests =
  /^#\[(?:cfg\((?:(?:any|all)\()?test\b|(?:\w+::)*(?:test|rstest|test_case|proptest|quickcheck|bench)\b)/u
const untilSemicolon =
  /^(?:pub(?:\([^)]{0,80}\))?\s{1,9})?(?:use|static|type|let|const(?!\s{1,9}(?:unsafe\s{1,9})?(?:async\s{1,9})?fn)|extern\s{1,9}crate)\b/u
const untilBlock =
  /^(?:pub(?:\([^)]{0,80}\))?\s{1,9})?(?:(?:unsafe|async|const|default|extern(?:\s{1,9}"[^"]{0,20}")?)\s{1,9}){0,4}(?:mod|fn|impl|struct|enum|union|trait|macro_rules|extern)\b/u

/** Undefined: a test that was there is gone from inside of something, and there is no place to put it back. */
export function mergeRust(before: string, after: string): string | undefined {
  const earlier = testItemsIn(before)
  const now = testItemsIn(after)
  const was = new Map(earlier.map((item) => [item.id, before.slice(item.start, item.end)]))
  const has = new Set(now.map(({ id }) => id))
  const gone = earlier.filter(({ id }) => !has.has(id))
  if (gone.some(({ depth }) => depth > 0)) return undefined
  let [text, from] = ['', 0]
  for (const { id, start, end } of now) {
    text += after.slice(from, start) + (was.get(id) ?? '')
    from = end
  }
  text += after.slice(from)
  return gone.reduce((whole, { id }) => `${whole.trimEnd()}\n\n${was.get(id) ?? ''}\n`, text)
}

function testItemsIn(text: string): readonly TestItem[] {
  const items: TestItem[] = []
  const count = new Map<string, number>()
  let [index, depth] = [0, 0]
  while (index < text.length) {
    const run = attributesAt(text, index)
    if (run.isOfTests) {
      const end = index + text.slice(index, endOfItem(text, run.end)).trimEnd().length
      const opening =
        text
          .slice(run.end, run.end + 120)
          .split(/[{;(<=\n]/u, 1)[0]
          ?.trim() ?? ''
      const number = count.get(opening) ?? 0
      count.set(opening, number + 1)
      items.push({ id: `${opening}#${number}`, start: index, end, depth })
      index = end
    } else if (run.end > index) index = run.end
    else {
      if (text[index] === '{') depth += 1
      else if (text[index] === '}') depth -= 1
      index = endOfRustToken(text, index)
    }
  }
  return items
}

/** Attributes that follow each other, with the white space behind them. */
function attributesAt(text: string, start: number): { readonly end: number; readonly isOfTests: boolean } {
  let [end, isOfTests] = [start, false]
  for (;;) {
    attribute.lastIndex = end
    if (!attribute.test(text)) return { end, isOfTests }
    const close = endOfBrackets(text, attribute.lastIndex)
    isOfTests ||= ofTests.test(text.slice(end, close).replaceAll(/\s/gu, ''))
    end = close
    while (end < text.length && /\s/u.test(text[end] ?? '')) end += 1
  }
}

function endOfBrackets(text: string, start: number): number {
  let depth = 1
  let index = start
  while (index < text.length && depth > 0) {
    if (text[index] === '[') depth += 1
    else if (text[index] === ']') depth -= 1
    index = endOfRustToken(text, index)
  }
  return index
}

/** Behind its block or its semicolon; of a field, an arm or a variant also behind its comma, or before what encloses it. */
function endOfItem(text: string, start: number): number {
  const opening = text.slice(start, start + 200)
  const endsAtBlock = !untilSemicolon.test(opening)
  const endsAtComma = endsAtBlock && !untilBlock.test(opening)
  let [index, depth] = [start, 0]
  while (index < text.length) {
    const character = text[index] ?? ''
    if (depth === 0 && (character === ';' || (character === ',' && endsAtComma))) return index + 1
    if (/[{([]/u.test(character)) depth += 1
    else if (/[})\]]/u.test(character)) {
      if (depth === 0) return index
      depth -= 1
      if (depth === 0 && character === '}' && endsAtBlock) return index + 1
    }
    index = endOfRustToken(text, index)
  }
  return text.length
}

/** The end of what begins at a place of a source of Rust: a comment, a string, a character, or one sign. */
function endOfRustToken(text: string, index: number): number {
  if (text.startsWith('//', index)) return behind(text, '\n', index)
  if (text.startsWith('/*', index)) return endOfComment(text, index)
  const character = text[index] ?? ''
  if (character === '"') return endOfString(text, index)
  if (character === "'") return endOfCharacter(text, index)
  if (/[\w]/u.test(character)) return endOfWord(text, index)
  return index + 1
}

/** Comments stand inside each other. */
function endOfComment(text: string, start: number): number {
  let depth = 0
  const ends = /\/\*|\*\//gu
  ends.lastIndex = start
  for (let match = ends.exec(text); match !== null; match = ends.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return ends.lastIndex
  }
  return text.length
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === '"') return index + 1
  }
  return text.length
}

/** `'{'` and `'\''` are characters, `'a` is a lifetime. */
function endOfCharacter(text: string, start: number): number {
  const character = /^'(?:\\(?:u\{[^}]{0,8}\}|x[0-9a-fA-F]{2}|.)|[^\\'\n])'/u.exec(
    text.slice(start, start + 14),
  )
  return start + (character?.[0].length ?? 1)
}

/** A word, or the raw string that it begins. */
function endOfWord(text: string, start: number): number {
  const word = /\w+/uy
  word.lastIndex = start
  word.test(text)
  const raw = /(?<=^(?:r|br|cr))#{0,255}"/u.exec(text.slice(start, start + 260))
  return raw === null
    ? word.lastIndex
    : behind(text, `"${'#'.repeat(raw[0].length - 1)}`, start + raw.index + raw[0].length)
}

/** The place behind the next ending; without one, the end of the text. */
function behind(text: string, ending: string, from: number): number {
  const found = text.indexOf(ending, from)
  return found === -1 ? text.length : found + ending.length
}
