/** Checks inside sources of the product: tests of Vitest beside the code, and examples in texts of Python. */

/** Whether a source holds checks that a runner finds in it. */
export function holdsOwnChecks(path: string, text: string): boolean {
  return path.endsWith('.py') ? example.test(text) : isJavaScript.test(path) && text.includes(ofVitest)
}

const isJavaScript = /\.[cm]?[jt]sx?$/u
const ofVitest = 'import.meta.vitest'
const example = /^[ \t]*>>> /mu

/** @returns the source as it is, with the checks that it held before; undefined if they cannot be told apart */
export function mergeOwnChecks(path: string, before: string, after: string): string | undefined {
  if (!holdsOwnChecks(path, before)) return after
  return path.endsWith('.py') ? mergeExamples(before, after) : mergeBlocks(before, after)
}

/** Earlier examples that are there no more are laid behind the module, where doctest looks for more of them. */
function mergeExamples(before: string, after: string): string {
  const now = new Set(examplesIn(after))
  const gone = examplesIn(before).filter((text) => !now.has(text))
  if (gone.length === 0) return after
  const text = JSON.stringify(gone.join('\n\n'))
  if (after.includes(text)) return after
  return `${after.trimEnd()}\n\n\n__test__ = {**globals().get("__test__", {}), "earlier examples": ${text}}\n`
}

/** Every example with what it prints, without its indentation. */
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

interface Block {
  readonly start: number
  readonly end: number
}

function mergeBlocks(before: string, after: string): string | undefined {
  const [then, now] = [blocksIn(before), blocksIn(after)]
  if (then === undefined || now === undefined) return undefined
  const textOf = (whole: string, { start, end }: Block): string => whole.slice(start, end)
  const earlier = then.map((block) => textOf(before, block))
  if (earlier.join('\n') === now.map((block) => textOf(after, block)).join('\n')) return after
  const product = now.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), after)
  return `${product.trimEnd()}\n\n${earlier.join('\n\n')}\n`
}

const opening = /^[ \t]*if\s{0,9}\(\s{0,9}import\.meta\.vitest\b[^{\n]{0,80}\{/gmu
const signs = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|[{}]/gu

/** The blocks that only Vitest runs. Undefined: one of them has no end, or stands in no such block. */
function blocksIn(text: string): readonly Block[] | undefined {
  const blocks: Block[] = []
  for (const match of text.matchAll(opening)) {
    const end = endOfBlock(text, match.index + match[0].length)
    if (end === undefined) return undefined
    blocks.push({ start: match.index, end })
  }
  const outside = blocks.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
  return outside.includes(ofVitest) ? undefined : blocks
}

function endOfBlock(text: string, from: number): number | undefined {
  let depth = 1
  signs.lastIndex = from
  for (let match = signs.exec(text); match !== null; match = signs.exec(text)) {
    if (match[0] === '{') depth += 1
    else if (match[0] === '}') depth -= 1
    if (depth === 0) return signs.lastIndex
  }
  return undefined
}
