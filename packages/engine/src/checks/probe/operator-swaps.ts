import type { FaultKind } from './mutation.ts'

export type Swap = readonly [FaultKind, string]

/** Operators of many languages, and what may stand in their place by mistake. */
export const swaps: ReadonlyMap<string, readonly Swap[]> = new Map<string, readonly Swap[]>([
  ['===', [['comparison', '!==']]],
  ['!==', [['comparison', '===']]],
  ['==', [['comparison', '!=']]],
  ['!=', [['comparison', '==']]],
  ['<', orderedSwaps('>=', '<=')],
  ['<=', orderedSwaps('>', '<')],
  ['>', orderedSwaps('<=', '>=')],
  ['>=', orderedSwaps('<', '>')],
  ['+', [['arithmetic', '-']]],
  ['-', [['arithmetic', '+']]],
  ['*', [['arithmetic', '/']]],
  ['/', [['arithmetic', '*']]],
  ['%', [['arithmetic', '*']]],
  ['+=', [['arithmetic', '-=']]],
  ['-=', [['arithmetic', '+=']]],
  ['*=', [['arithmetic', '/=']]],
  ['/=', [['arithmetic', '*=']]],
  ['&&', [['logic', '||']]],
  ['||', [['logic', '&&']]],
])

function orderedSwaps(opposite: string, beside: string): readonly Swap[] {
  return [
    ['comparison', opposite],
    ['boundary', beside],
  ]
}
