import {
  forEachChild,
  type Command,
  type ParsedScript,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash'

/*
 * What stands in a variable is evaluated once more where it is read as arithmetic. Only of a name that is given numbers, and of
 * which every place in the text is understood, it is known what that would be.
 */

/** Names that hold numbers wherever the text reads them. */
export function numbersOf(script: ParsedScript, text: string): ReadonlySet<string> {
  if (!/\(\(|\[|\btest\b/.test(text)) return none
  const gathering: Gathering = { given: new Set(), understood: new Map() }
  gather(script, gathering)
  return new Set(
    [...gathering.given].filter(
      (name) => gathering.understood.get(name) === text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length,
    ),
  )
}

const none: ReadonlySet<string> = new Set()

/** A sum of numbers, of names that hold numbers, and of what the shell itself counts. */
export function isNumber(text: string, numbers: ReadonlySet<string>): boolean {
  const rest = text
    .replaceAll(counted, '0')
    .replaceAll(/\b\d+#[\w@]+|\b0[xX][\dA-Fa-f]+/g, '0')
    .replaceAll(/\$\{(\w+)\}|\$?\b([A-Za-z_]\w*)/g, (whole, braced?: string, bare?: string) =>
      numbers.has(braced ?? bare ?? '') ? '0' : whole,
    )
    .replaceAll(printsNumber, '0')
  return /^[-\d\s"+*/%()<>=!&|^~?:,]*$/.test(rest)
}

/** `$#`, `$?`, `${#name}` and the like. */
const counted = /\$[#?$!]|\$\{#\w+(?:\[[@*]\])?\}|\$(?:RANDOM|SECONDS|LINENO)\b/g
/** Commands whose output is a number whatever they find. */
const printsNumber =
  /\$\((?:date \+%[sNYmdHMSj]+|nproc|id -[ug]|wc -[lcwm] *< *[\w./"$-]+|[^;&()`\n]*\| *wc -[lcwm] *)\)/g

interface Gathering {
  readonly given: Set<string>
  /** How often the name stands where it can only be read, or is given a number. */
  readonly understood: Map<string, number>
}

function gather(node: SyntaxNode, all: Gathering): void {
  switch (node.type) {
    case 'Assignment':
      if (node.index === undefined && node.value.type === 'Word' && isNumericWord(node.value))
        give(node.name, all)
      if (node.index !== undefined) understand(node.index.text, all)
      break
    case 'For':
      if (node.wordlist?.every(isNumericWord) === true) give(node.name.value, all)
      break
    case 'ArithmeticBinary':
      // The name itself is a word of the sum.
      if (node.operator === '=' && node.left.type === 'ArithmeticWord') addGiven(node.left.value, all)
      break
    case 'ArithmeticWord':
      understand(node.value, all)
      break
    case 'SimpleExpansion':
      understand(node.text.slice(1), all)
      break
    case 'ParameterExpansion':
      if (node.operation === undefined && node.prefix !== '!') understand(node.parameter, all)
      if (node.index !== undefined) understand(node.index.text, all)
      break
    case 'Command':
      if (node.name?.text === 'echo') for (const word of node.args) understandLiterals(word, all)
      break
    default:
  }
  forEachChild(node, (child) => gather(child, all))
}

function addGiven(name: string, { given }: Gathering): void {
  if (/^[A-Za-z_]\w*$/.test(name) && given.size < maxNames) given.add(name)
}

/** Each is looked for in the whole text. */
const maxNames = 100

function give(name: string, all: Gathering): void {
  addGiven(name, all)
  understand(name, all)
}

function understand(name: string, { understood }: Gathering): void {
  if (/^[A-Za-z_]\w*$/.test(name)) understood.set(name, (understood.get(name) ?? 0) + 1)
}

/** What is only printed sets nothing. */
function understandLiterals(word: Command['args'][number], all: Gathering): void {
  if (word.type !== 'Word') return
  const literals = (parts: readonly WordPart[] | undefined): readonly string[] =>
    (parts ?? []).flatMap((part) => {
      if (part.type === 'DoubleQuoted') return literals(part.parts)
      return part.type === 'Literal' || part.type === 'SingleQuoted' ? [part.text] : []
    })
  const texts = word.parts === undefined ? [word.text] : literals(word.parts)
  for (const [name] of texts.join(' ').matchAll(/[A-Za-z_]\w*/g)) understand(name, all)
}

function isNumericWord({ text, parts }: Word): boolean {
  const bare = text.replace(/^"(.*)"$/s, '$1')
  if (/^(?:-?\d+|\{\d+\.\.\d+(?:\.\.\d+)?\}|\$\(seq [\d ]+\))$/.test(bare)) return true
  if (bare.replaceAll(counted, '').replaceAll(printsNumber, '') === '' && bare !== '') return true
  const [only, ...others] = parts ?? []
  const part = only?.type === 'DoubleQuoted' && only.parts.length === 1 ? only.parts[0] : only
  return others.length === 0 && part?.type === 'ArithmeticExpansion'
}
