import { literalsOf } from './literals.ts'
import { pathsAmong } from './paths-among.ts'
import type { Reference } from './reference.ts'

const importing = /^[ \t]*import[ \t]+([\w., \t]+)/gmu
const fromImporting = /^[ \t]*from[ \t]+([.\w]+)[ \t]+import\b[ \t]*(\([^)]{0,4000}|[^\n#]{0,1000})/gmu
const byName =
  /(?:import_module|__import__|importorskip|run_module|pytest_plugins\s*=\s*[([]?|patch(?:\.\w+)?)\s*\(?$/u

/** `from a import b` may mean the module `a` or `a.b`. */
export function pythonReferences(text: string): readonly Reference[] {
  const literals = literalsOf(text, { lineComment: '#', quotes: `"'`, hasTripleQuotes: true })
  return [
    ...[...text.matchAll(importing)].flatMap(([, list = '']) => list.split(',').map(moduleOf)),
    ...[...text.matchAll(fromImporting)].flatMap(([, from = '', list = '']) => [
      from,
      ...namesIn(list).map((name) => (from.endsWith('.') ? `${from}${name}` : `${from}.${name}`)),
    ]),
  ]
    .filter((written) => written !== '')
    .map((written): Reference => ({ kind: 'import', written }))
    .concat(
      literals.flatMap((literal): readonly Reference[] =>
        byName.test(literal.before) && /^[\w.]+$/u.test(literal.value)
          ? [{ kind: 'import', written: literal.value }]
          : pathsAmong([literal]),
      ),
    )
}

function moduleOf(item: string): string {
  return item.trim().split(/\s/u)[0] ?? ''
}

function namesIn(list: string): readonly string[] {
  return list
    .replaceAll(/#.*$|[()\\]/gmu, '')
    .split(',')
    .map(moduleOf)
    .filter((name) => /^\w+$/u.test(name))
}
