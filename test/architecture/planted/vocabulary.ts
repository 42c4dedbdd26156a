import { at, type Planted } from './planted.ts'

export const plantedVocabulary: readonly Planted[] = [
  {
    title: 'names of a function, a type and a parameter in words of our own',
    files: {
      [at('core/decide/a.ts')]: 'export function wrapUpOf(): void {}\n',
      [at('core/decide/b.ts')]: 'export interface RideOptions { readonly a: string }\n',
      [at('core/decide/c.ts')]: 'export const f = (sentBack: string) => sentBack\n',
    },
    caught: [at('core/decide/a.ts'), at('core/decide/b.ts'), at('core/decide/c.ts')],
  },
  {
    title: 'words that only look like them, texts, and what others call so',
    files: {
      [at('core/decide/a.ts')]:
        "export const overrides = 1\nexport const epochMs = 2\nexport const text = 'wrapUp'\nexport const elapsed = process.wrapUp\n",
    },
    caught: [],
  },
]

export const plantedOnePlace: readonly Planted[] = [
  {
    title: 'a second table of caps',
    files: { [at('engine/compose/caps.ts')]: 'const capTable = {}\nvoid capTable\n' },
    caught: [at('engine/compose/caps.ts')],
  },
  {
    title: 'the table in its place, and its use elsewhere',
    files: {
      [at('core/budgets/index.ts')]: 'export const capTable = {}\n',
      [at('core/decide/a.ts')]: "import { capTable } from '../budgets/index.ts'\nvoid capTable\n",
    },
    caught: [],
  },
]
