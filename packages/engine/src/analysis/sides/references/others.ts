/** Go and Rust. */
import { literalsOf } from './literals.ts'
import { pathsAmong } from './paths-among.ts'
import type { Reference } from './reference.ts'

const goImport = /^import[ \t]+(?:\(([^)]{0,20000})|(?:[\w.]+[ \t]+)?("[^"\n]+"))/gmu
const goEmbed = /^\/\/go:embed[ \t]+([^\n]+)/gmu

export function goReferences(text: string): readonly Reference[] {
  const imports = [...text.matchAll(goImport)].flatMap(([, block, one]) =>
    [...(block ?? one ?? '').matchAll(/"([^"\n]+)"/gu)].map(([, written = '']) => written),
  )
  const embedded = [...text.matchAll(goEmbed)].flatMap(([, list = '']) => list.trim().split(/\s+/u))
  return [
    ...imports.map((written): Reference => ({ kind: 'import', written })),
    ...embedded.map((written): Reference => ({ kind: 'path', written })),
    ...pathsAmong(literalsOf(text, { lineComment: '//', quotes: '"`', hasTripleQuotes: false })),
  ]
}

const rustModule =
  /((?:#\[[^\]\n]{0,200}\]\s{0,200}){0,8})(?:pub(?:\([^)\n]{0,80}\))?[ \t]+)?\bmod[ \t]+(?:r#)?(\w+)[ \t]*;/gu
const rustCrate = /\b(?:use|extern[ \t]+crate)[ \t]+(?:::)?(\w+)/gu

/** A module is written as its name, or as the path that an attribute gives it. A crate is written with `::`. */
export function rustReferences(text: string): readonly Reference[] {
  const modules = [...text.matchAll(rustModule)].map(([, attributes = '', name = '']): Reference => {
    const path = /\bpath\s{0,9}=\s{0,9}"([^"\n]+)"/u.exec(attributes)?.[1]
    const isForTests = /\bcfg\s{0,9}\(\s{0,9}(?:(?:any|all)\s{0,9}\(\s{0,9})?test\b/u.test(attributes)
    return { kind: path === undefined ? 'import' : 'path', written: path ?? name, isForTests }
  })
  const crates = [...text.matchAll(rustCrate)].map(([, name = '']): Reference => ({
    kind: 'import',
    written: `${name}::`,
  }))
  return [
    ...modules,
    ...crates,
    ...pathsAmong(literalsOf(text, { lineComment: '//', quotes: '"', hasTripleQuotes: false })),
  ]
}
