import type { MutationKind } from './edit.ts'

export type Twin = readonly [after: string, kind: MutationKind]

/** For each operator those that are easily written instead of it. */
export const binaryTwins: ReadonlyMap<string, readonly Twin[]> = new Map<string, readonly Twin[]>([
  ['<', relational('<=', '>', '>=')],
  ['<=', relational('<', '>=', '>')],
  ['>', relational('>=', '<', '<=')],
  ['>=', relational('>', '<=', '<')],
  ['==', equality('!=')],
  ['!=', equality('==')],
  ['===', equality('!==')],
  ['!==', equality('===')],
  ['&&', twins('logical', '||')],
  ['||', [...twins('logical', '&&'), ...twins('rare operator', '??')]],
  ['??', twins('rare operator', '||')],
  ['+', [...twins('arithmetic', '-'), ...twins('rare operator', '*')]],
  ['-', twins('arithmetic', '+')],
  ['*', [...twins('arithmetic', '/'), ...twins('rare operator', '+')]],
  ['/', [...twins('arithmetic', '*'), ...twins('rare operator', '%')]],
  ['%', [...twins('arithmetic', '/'), ...twins('rare operator', '*')]],
  ['**', twins('arithmetic', '*')],
  ['+=', twins('assignment', '-=', '=')],
  ['-=', twins('assignment', '+=', '=')],
  ['*=', twins('assignment', '/=', '+=')],
  ['/=', twins('assignment', '*=')],
  ['%=', twins('assignment', '/=')],
  ['&&=', twins('assignment', '||=', '??=')],
  ['||=', twins('assignment', '&&=', '??=')],
  ['??=', twins('assignment', '||=', '=')],
])

function twins(kind: MutationKind, ...operators: readonly string[]): readonly Twin[] {
  return operators.map((operator) => [operator, kind])
}

function relational(boundary: string, ...others: readonly string[]): readonly Twin[] {
  return [...twins('boundary', boundary), ...twins('direction', ...others)]
}

function equality(negated: string): readonly Twin[] {
  return [...twins('equality', negated), ...twins('rare operator', '>=', '<=')]
}
