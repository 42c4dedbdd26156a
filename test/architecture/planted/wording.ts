import { at, type Planted } from './planted.ts'

const source = at('core/decide/a.ts')
const caughtIn = (title: string, text: string): Planted => ({
  title,
  files: { [source]: text },
  caught: [source],
})
const letThrough = (title: string, text: string): Planted => ({
  title,
  files: { [source]: text },
  caught: [],
})

export const plantedAny: readonly Planted[] = [
  caughtIn('an annotation', 'export const a: any = 1\n'),
  caughtIn('a cast', 'export const a = (1 as any)\n'),
  caughtIn('one deep inside', 'export type A = Record<string, readonly any[]>\n'),
  caughtIn('a comment that lets it in', 'export const a = 1\n  // @ts-ignore because\n'),
  { title: 'one in a test', files: { 'test/a.test.ts': 'const a: any = 1\n' }, caught: ['test/a.test.ts'] },
  letThrough('the word in a comment, a text and a name', `// any of them\nexport const any = 'any'\n`),
]

export const plantedDefaultExport: readonly Planted[] = [
  caughtIn('a value', 'const a = 1\nexport default a\n'),
  caughtIn('a function', 'export default function a() {}\n'),
  caughtIn('a renamed export', 'const a = 1\nexport { a as default }\n'),
  caughtIn('an export of the old kind', 'export = 1\n'),
  letThrough(
    'a switch, and an import of somebody else’s',
    `import ts from 'typescript'\nswitch (ts) {\n  default:\n}\n`,
  ),
  { title: 'a configuration', files: { 'packages/web/vite.config.ts': 'export default {}\n' }, caught: [] },
]

export const plantedNonNull: readonly Planted[] = [
  caughtIn('a value', 'export const f = (a?: string) => a!.length\n'),
  caughtIn('a field', 'export class A {\n  b!: string\n}\n'),
  caughtIn('a variable', 'let a!: string\n'),
  letThrough('a negation', 'export const f = (a?: string) => !a && a !== null\n'),
]

export const plantedStarExport: readonly Planted[] = [
  caughtIn('everything', `export * from './b.ts'\n`),
  caughtIn('every type', `export type * from './b.ts'\n`),
  caughtIn('everything under a name', `export * as b from './b.ts'\n`),
  letThrough('an import', `import * as b from './b.ts'\nexport { b }\n`),
]
