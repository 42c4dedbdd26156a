import { parseTree, visit, type Node } from 'jsonc-parser'

/** With comments, and a comma too many. */
export function parseLeniently(text: string): Node | undefined {
  return parseTree(text, [], lenient)
}

export const lenient = { allowTrailingComma: true }

/** Where the next token stands, comments apart, if it is a comma. */
export function commaAfter(text: string, end: number): number | undefined {
  let next: { readonly offset: number; readonly isComma: boolean } | undefined
  const meet = (offset: number, isComma = false): undefined => {
    if (offset >= end && (next === undefined || offset < next.offset)) next = { offset, isComma }
  }
  visit(
    text,
    {
      onSeparator: (character, offset) => meet(offset, character === ','),
      onObjectProperty: (_name, offset) => meet(offset),
      onLiteralValue: (_value, offset) => meet(offset),
      onObjectBegin: (offset) => meet(offset),
      onArrayBegin: (offset) => meet(offset),
      onObjectEnd: (offset) => meet(offset),
      onArrayEnd: (offset) => meet(offset),
    },
    lenient,
  )
  return next?.isComma === true ? next.offset : undefined
}
