/** Random cases: patches made from the files, some of them spoilt. */
import fc from 'fast-check'
import type { PatchCase } from './patch-runs.ts'
import type { Entry } from './patch-tree.ts'
import { filePaths, lineTexts, lookAlikes, markerLines, oddPaths, paddings } from './patch-words.ts'

/** Draws at random; the same seed draws the same. */
interface Dice {
  /** From 0, below the limit. */
  below(limit: number): number
  chance(probability: number): boolean
  oneOf<Value>(values: readonly Value[]): Value
}

/** About a quarter of them applies. */
export const structuredCases: fc.Arbitrary<PatchCase> = fc.gen().map((draw) => structuredCase(diceOf(draw)))

/** Files and chunks of very few different lines, many of them blank: what meets at the ends of files and chunks. */
export const denseCases: fc.Arbitrary<PatchCase> = fc.gen().map((draw) => denseCase(diceOf(draw)))

function diceOf(draw: fc.GeneratorValue): Dice {
  const below = (limit: number) => draw(fc.nat, { max: limit - 1 })
  return {
    below,
    chance: (probability) => below(1000) < probability * 1000,
    oneOf(values) {
      const value = values[below(values.length)]
      if (value === undefined) throw new Error('nothing to choose from')
      return value
    },
  }
}

function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

// --- files ----------------------------------------------------------------------------------------

interface Drawn {
  readonly tree: Record<string, Entry>
  readonly lines: ReadonlyMap<string, readonly string[]>
}

function drawTree(dice: Dice): Drawn {
  const lines = new Map<string, readonly string[]>()
  const tree: Record<string, Entry> = { d: { kind: 'folder' } }
  for (const path of filePaths.filter(() => dice.chance(0.6))) {
    const texts = times(dice.below(9), () => dice.oneOf(lineTexts))
    lines.set(path, texts)
    const mode = dice.chance(0.1) ? { mode: 0o755 } : {}
    tree[path] = { kind: 'file', content: contentOf(texts, dice), ...mode }
  }
  if (dice.chance(0.2)) tree['link'] = { kind: 'link', target: 'a.txt' }
  if (dice.chance(0.2)) tree['dangling'] = { kind: 'link', target: 'nowhere' }
  if (dice.chance(0.1)) tree['far'] = { kind: 'link', target: 'no/where' }
  if (dice.chance(0.1)) tree['loop'] = { kind: 'link', target: 'loop' }
  if (dice.chance(0.2)) tree['folder-link'] = { kind: 'link', target: 'd' }
  if (dice.chance(0.2)) tree['../outside.txt'] = { kind: 'file', content: 'a\nb\n' }
  if (dice.chance(0.2)) tree['bytes.bin'] = { kind: 'file', content: drawBytes(dice) }
  return { tree, lines }
}

function contentOf(texts: readonly string[], dice: Dice): string {
  const ends = dice.oneOf([['\n'], ['\n'], ['\n'], ['\r\n'], ['\n', '\r\n'], ['\n', '\r\n', '\r']])
  const content = texts.map((text) => text + dice.oneOf(ends)).join('')
  return dice.chance(0.25) ? content.replace(/[\r\n]+$/, '') : content
}

/** Mostly not UTF-8, in every way in which it can be broken. */
function drawBytes(dice: Dice): Uint8Array {
  const bytes = [
    0x61, 0x0a, 0x80, 0xbf, 0xc0, 0xc3, 0xa9, 0xe0, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xf0, 0x9f, 0x98, 0xf4,
    0x90, 0xf5, 0xff,
  ]
  return Uint8Array.from(times(1 + dice.below(6), () => dice.oneOf(bytes)))
}

// --- structured patches ---------------------------------------------------------------------------

function structuredCase(dice: Dice): PatchCase {
  const drawn = drawTree(dice)
  const hunks = times(dice.oneOf([1, 1, 1, 1, 2, 2, 3]), () => drawHunk(drawn, dice)).flat()
  return finished(drawn.tree, ['*** Begin Patch', ...hunks, '*** End Patch'], dice)
}

function finished(tree: PatchCase['tree'], lines: readonly string[], dice: Dice): PatchCase {
  const end = dice.chance(0.04) ? '\r\n' : '\n'
  let text = (dice.chance(0.03) ? spoilt(lines, dice) : lines).join(end)
  if (dice.chance(0.05)) text = `${dice.oneOf(['<<EOF', "<<'EOF'", '<<"EOF"', '<<X'])}\n${text}\nEOF`
  if (dice.chance(0.3)) text += '\n'
  if (dice.chance(0.05))
    text = `${dice.oneOf(['\n', '  \n', '\ufeff', '\u0085'])}${text}${dice.oneOf(paddings)}`
  if (text !== '' && dice.chance(0.01)) return { tree, patch: broken(text, dice), by: 'standard-input' }
  return { tree, patch: text, by: dice.chance(0.1) ? 'standard-input' : 'argument' }
}

/** One byte of a text that is not empty is no text any more, or a NUL. */
function broken(text: string, dice: Dice): Uint8Array {
  const bytes = new TextEncoder().encode(text)
  bytes[dice.below(bytes.length)] = dice.oneOf([0, 0, 0xff, 0xc3])
  return bytes
}

function drawHunk(drawn: Drawn, dice: Dice): string[] {
  const kind = dice.below(10)
  if (kind === 0) return [`*** Delete File: ${drawPath(drawn, dice)}`]
  if (kind > 1) return drawUpdate(drawn, dice)
  const path = dice.chance(0.5) ? dice.oneOf(['new.txt', 'n/e/w.txt']) : drawPath(drawn, dice)
  return [`*** Add File: ${path}`, ...times(dice.below(4), () => `+${dice.oneOf(lineTexts)}`)]
}

function drawPath({ lines }: Drawn, dice: Dice): string {
  return lines.size === 0 || dice.chance(0.05) ? dice.oneOf(oddPaths) : dice.oneOf([...lines.keys()])
}

function drawUpdate(drawn: Drawn, dice: Dice): string[] {
  const path = drawPath(drawn, dice)
  const lines = drawn.lines.get(path) ?? times(3, () => dice.oneOf(lineTexts))
  const move = dice.chance(0.12) ? [`*** Move to: ${drawTarget(path, drawn, dice)}`] : []
  const chunks: string[] = []
  let cursor = 0
  for (let rest = dice.oneOf([1, 1, 1, 2, 2, 3]); rest > 0; rest -= 1) {
    const start = Math.min(cursor + dice.below(3), lines.length)
    const end = Math.min(start + dice.below(4), lines.length)
    const context =
      lines[start - 1] !== undefined && (start > cursor || dice.chance(0.05)) && dice.chance(0.3)
        ? `@@ ${near(lines[start - 1] ?? '', dice)}`
        : '@@'
    if (chunks.length > 0 || dice.chance(0.7)) chunks.push(context)
    chunks.push(...drawChunk(lines.slice(start, end), dice))
    if (dice.chance(end === lines.length ? 0.3 : 0.015)) chunks.push('*** End of File')
    cursor = dice.chance(0.98) ? end : 0
  }
  return [`*** Update File: ${path}`, ...move, ...chunks]
}

function drawTarget(path: string, drawn: Drawn, dice: Dice): string {
  return dice.oneOf([
    'moved.txt',
    'm/o/ved.txt',
    path,
    `./${path}`,
    drawPath(drawn, dice),
    drawPath(drawn, dice),
  ])
}

function drawChunk(lines: readonly string[], dice: Dice): string[] {
  const chunk = lines.flatMap((text) => {
    const added = dice.chance(0.2) ? [`+${dice.oneOf(lineTexts)}`] : []
    if (dice.chance(0.007)) return added
    const marker = dice.chance(0.6) ? ' ' : '-'
    const line = `${marker}${near(text, dice)}`
    return dice.chance(0.007)
      ? [...added, line, line]
      : [...added, line === ' ' && dice.chance(0.3) ? '' : line]
  })
  if (dice.chance(0.5)) chunk.push(`+${dice.oneOf(lineTexts)}`)
  if (chunk.length === 0) chunk.push(`+${dice.oneOf(lineTexts)}`)
  if (dice.chance(0.04)) chunk.push(dice.oneOf([' ', '-', '', '+']))
  return chunk
}

/** The line, or what one takes for it. */
function near(text: string, dice: Dice): string {
  if (dice.chance(0.93)) return text
  const way = dice.below(4)
  if (way === 0) return text + dice.oneOf(paddings)
  if (way === 1) return dice.oneOf(paddings) + text
  if (way === 2) return text.trim()
  const [plain, fancy] = dice.oneOf(lookAlikes)
  return text.includes(plain) ? text.replace(plain, fancy) : text.replace(fancy, plain)
}

/** One line goes, comes twice, or something else comes in. */
function spoilt(lines: readonly string[], dice: Dice): string[] {
  const index = dice.below(Math.max(lines.length, 1))
  const line = lines[index] ?? ''
  const way = dice.below(4)
  if (way === 0) return lines.toSpliced(index, 1)
  if (way === 1) return lines.toSpliced(index, 0, line)
  if (way === 2) return lines.toSpliced(index, 1, dice.oneOf(paddings) + line)
  return lines.toSpliced(index, 0, dice.oneOf(markerLines))
}

// --- dense patches --------------------------------------------------------------------------------

const denseTexts: readonly string[] = ['', '', 'a', 'a', 'b', ' ', 'a ']

function denseCase(dice: Dice): PatchCase {
  const content = contentOf(
    times(dice.below(6), () => dice.oneOf(denseTexts)),
    dice,
  )
  const move = dice.chance(0.1) ? ['*** Move to: b.txt'] : []
  const chunks = times(dice.oneOf([1, 1, 2, 3]), (index) => {
    const start = dice.chance(0.2) ? [`@@ ${dice.oneOf(denseTexts)}`] : ['@@']
    const end = dice.chance(0.25) ? ['*** End of File'] : []
    const lines = times(1 + dice.below(5), () => dice.oneOf([' ', '-', '+']) + dice.oneOf(denseTexts))
    return [...(index === 0 && dice.chance(0.5) ? [] : start), ...lines, ...end]
  }).flat()
  const patch = ['*** Begin Patch', '*** Update File: a.txt', ...move, ...chunks, '*** End Patch'].join('\n')
  return { tree: { 'a.txt': { kind: 'file', content } }, patch, by: 'argument' }
}
