const ofVitest = 'import.meta.vitest'
const ofRust =
  /#!?\[(?:cfg\((?:(?:any|all)\()?test\b|(?:\w+::)*(?:test|rstest|test_case|proptest|quickcheck|bench)\b)/gu
const example = /^[ \t]*>>> /mu
const isJavaScript = /\.[cm]?[jt]sx?$/u

export function holdsOwnChecks(path: string, text: string): boolean {
  if (path.endsWith('.rs')) return text.search(ofRust) !== -1
  return path.endsWith('.py') ? example.test(text) : isJavaScript.test(path) && text.includes(ofVitest)
}

/** @returns the source with its earlier checks; undefined if they cannot be separated */
export function mergeOwnChecks(path: string, before: string, after: string): string | undefined {
  if (path.endsWith('.rs')) return mergeBlocks(before, after, rust)
  if (!holdsOwnChecks(path, before)) return after
  return path.endsWith('.py') ? mergeExamples(before, after) : mergeBlocks(before, after, vitest)
}

/** Appends removed earlier examples to the module, where doctest finds more of them. */
function mergeExamples(before: string, after: string): string {
  const now = new Set(examplesIn(after))
  const gone = examplesIn(before).filter((text) => !now.has(text))
  if (gone.length === 0) return after
  const text = JSON.stringify(gone.join('\n\n'))
  if (after.includes(text)) return after
  return `${after.trimEnd()}\n\n\n__test__ = {**globals().get("__test__", {}), "earlier examples": ${text}}\n`
}

/** Every example with its output, unindented. */
function examplesIn(text: string): readonly string[] {
  const found: string[][] = []
  let [current, depth]: [string[] | undefined, number] = [undefined, 0]
  for (const line of text.split('\n')) {
    const plain = line.trimStart()
    if (plain.startsWith('>>> ') && current === undefined) {
      current = []
      depth = line.length - plain.length
      found.push(current)
    }
    if (plain === '' || /^(?:"""|''')/u.test(plain)) current = undefined
    else current?.push(line.slice(Math.min(depth, line.length - plain.length)).trimEnd())
  }
  return found.map((lines) => lines.join('\n'))
}

interface Style {
  readonly start: RegExp
  /** Comments and strings, whose brackets are ignored. */
  readonly texts: RegExp
}

const rust: Style = {
  start: new RegExp(`^\\s*${ofRust.source}`, 'u'),
  texts: /\/\/.*|\/\*[^]*?\*\/|r(#{1,9})"[^]{0,8000}?"\1|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\.[^']{0,8})'/gu,
}
const vitest: Style = {
  start: /^\s*if\s{0,9}\(\s{0,9}import\.meta\.vitest\b/u,
  texts: /\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`/gu,
}

interface Parts {
  readonly product: readonly string[]
  readonly blocks: readonly string[]
}

/** Replaces blocks one by one; if their number changed, appends all earlier ones. */
function mergeBlocks(before: string, after: string, style: Style): string | undefined {
  const [then, now] = [partsOf(before, style), partsOf(after, style)]
  if (then === undefined || now === undefined || marksIn(then) !== marksIn(now)) return undefined
  if (then.blocks.join('\n') === now.blocks.join('\n')) return after
  if (then.blocks.length === now.blocks.length)
    return now.product.map((text, index) => text + (then.blocks[index] ?? '')).join('')
  if (then.blocks.some((block) => /^[ \t]/u.test(block))) return undefined
  return [`${now.product.join('').trimEnd()}\n`, ...then.blocks].join('\n')
}

/** Test code outside of its own block. */
function marksIn({ product }: Parts): string {
  return product.join('').match(ofRust)?.join(' ') ?? String(product.some((text) => text.includes(ofVitest)))
}

/** Splits by lines, as formatters write them. @returns undefined if a block has no end */
function partsOf(text: string, { start, texts }: Style): Parts | undefined {
  const lines = text.match(lineOf) ?? []
  const code = text.replaceAll(texts, (found) => found.replaceAll(/[^\n]/gu, ' ')).match(lineOf) ?? []
  const product = ['']
  const blocks: string[] = []
  for (let index = 0; index < lines.length;) {
    if (!start.test(code[index] ?? '')) {
      product.push(`${product.pop() ?? ''}${lines[index] ?? ''}`)
      index += 1
      continue
    }
    const end = endOfBlock(code, index)
    if (end === undefined) return undefined
    blocks.push(lines.slice(index, end).join(''))
    product.push('')
    index = end
  }
  return { product, blocks }
}

const lineOf = /[^\n]*\n|[^\n]+$/gu
const attribute = /^\s*#!?\[[^\n]*\]\s*$|^\s*\/\//u

/** Returns the line after the item or block that starts here. */
function endOfBlock(lines: readonly string[], start: number): number | undefined {
  const indent = /^\s*/u.exec(lines[start] ?? '')?.[0] ?? ''
  let [depth, index] = [0, start]
  while (attribute.test(lines[index] ?? '')) index += 1
  for (; index < lines.length; index += 1) {
    const line = (lines[index] ?? '').trimEnd()
    depth += (line.match(/[{([]/gu)?.length ?? 0) - (line.match(/[})\]]/gu)?.length ?? 0)
    const isClosed = line.startsWith(`${indent}}`) || /[;},]$/u.test(line)
    if (depth <= 0 && isClosed) return index + 1
  }
  return undefined
}
