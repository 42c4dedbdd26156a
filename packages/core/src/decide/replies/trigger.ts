/** Which replies claim something that is to be verified. */
import type { ReplyCheckSettings } from '../../events/settings/index.ts'

/** Words with which an answer claims to be the end of the work. */
export const defaultKeywords: readonly string[] = [
  'done',
  'completed',
  'finished',
  'ready',
  'here you go',
  'fixed',
  'implemented',
]

/** Words that turn a claim after them into its opposite. A word that ends in `n't` is one in any case. */
export const defaultNegations: readonly string[] = [
  'not',
  'never',
  'no',
  'none',
  'nothing',
  'neither',
  'nor',
  'cannot',
  'hardly',
  'barely',
  'without',
  'yet to be',
  'far from',
]

/** Words before a claim in which a negation is looked for. */
const negationReach = 5
/** Scripts that set no space between words: there a word has no boundary to look for. */
const withoutSpaces =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** A question claims nothing, nor does what is negated; of the rest one word is enough. */
export function isTriggered(text: string, trigger: ReplyCheckSettings['trigger']): boolean {
  if (trigger === 'all') return text.trim() !== ''
  const keywords = trigger.keywords.filter((keyword) => keyword.trim() !== '').map(wordPattern)
  const negations = trigger.negations.filter((word) => word.trim() !== '').map(wordPattern)
  return clausesOf(text).some((clause) =>
    keywords.some((keyword) =>
      [...clause.matchAll(keyword)].some(({ index }) => !isNegated(clause.slice(0, index), negations)),
    ),
  )
}

/** Without those of questions. */
function clausesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?…])\s+|(?<=[。！？])|\n+/u)
    .filter((sentence) => !/[?？]\P{L}*$/u.test(sentence))
    .flatMap((sentence) => sentence.split(/[,;:]\s|[，；：]|\s[–—-]\s/u))
}

function isNegated(before: string, negations: readonly RegExp[]): boolean {
  const near = before.trim().split(/\s+/u).slice(-negationReach).join(' ')
  return /n['’]t\b/iu.test(near) || negations.some((negation) => near.search(negation) !== -1)
}

/** Letters, digits and marks beside it would make it another word. */
function wordPattern(word: string): RegExp {
  const literal = word.trim().replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)
  if (withoutSpaces.test(word)) return new RegExp(literal, 'giu')
  const before = /^[\p{L}\p{N}_]/u.test(word.trim()) ? String.raw`(?<![\p{L}\p{M}\p{N}_])` : ''
  const after = /[\p{L}\p{N}_]$/u.test(word.trim()) ? String.raw`(?![\p{L}\p{M}\p{N}_])` : ''
  return new RegExp(`${before}${literal}${after}`, 'giu')
}
