/** What all mutators share: one replacement in a source text, and how likely it is to be the missing one. */
import type ts from 'typescript'

/** Likeliest first: a slip at a boundary is commoner than a swapped argument. */
export const mutationKinds = [
  'boundary',
  'equality',
  'logical',
  'arithmetic',
  'number',
  'direction',
  'call twin',
  'length or index',
  'negation',
  'branches',
  'boolean',
  'step',
  'assignment',
  'order',
  'rare operator',
] as const

export type MutationKind = (typeof mutationKinds)[number]

export interface Edit {
  readonly kind: MutationKind
  /** Offset of the first character that goes. */
  readonly start: number
  /** Offset after the last character that goes. */
  readonly end: number
  readonly after: string
}

/** Looks at one node and says what could be otherwise there. */
export type Mutator = (node: ts.Node, source: ts.SourceFile) => readonly Edit[]

/** Replaces a whole node. */
export function replaceNode(kind: MutationKind, node: ts.Node, source: ts.SourceFile, after: string): Edit {
  return { kind, start: node.getStart(source), end: node.getEnd(), after }
}

/** The same edit with blanks where its text would grow together with a neighbour, as in `a - -b` or `return(a) - b`. */
export function padded(edit: Edit, text: string): Edit {
  const before = text.slice(edit.start - 1, edit.start)
  const behind = text.slice(edit.end, edit.end + 1)
  const left = growTogether(before, edit.after.slice(0, 1)) ? ' ' : ''
  const right = growTogether(edit.after.slice(-1), behind) ? ' ' : ''
  return { ...edit, after: `${left}${edit.after}${right}` }
}

/**
 * The edit begins or ends beside a line break that may stand for a semicolon: whether it still does depends on what comes
 * to stand there.
 */
export function touchesLineBreak({ start, end }: Edit, text: string): boolean {
  const before = text.slice(Math.max(0, start - farthest), start)
  const behind = text.slice(end, end + farthest)
  return /(^|[^\s([{,;=:?&|])\s*\n\s*$/.test(before) || /^[^\S\n]*\n\s*[^\s)\]},;.:?&|=]/.test(behind)
}

/** Characters that are looked at for the line break. */
const farthest = 200

const word = /[\p{ID_Continue}$#]/u
const operator = /[-+*/%<>=!&|?]/

function growTogether(one: string, other: string): boolean {
  return (word.test(one) && word.test(other)) || (operator.test(one) && operator.test(other))
}
