import { at, lines, type Planted } from './planted.ts'

const rooms = (count: number) => files(count, (index) => `packages/engine/src/checks/room-${index}/a.ts`)

const files = (count: number, pathOf: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [pathOf(index), 'export const a = 1\n']))

export const plantedEntries: readonly Planted[] = [
  {
    title: 'a house of thirteen rooms',
    files: rooms(13),
    caught: ['packages/engine/src/checks'],
  },
  {
    title: 'a level of seventeen files inside a room, one of them a test without a source',
    files: {
      ...files(16, (index) => at(`core/decide/rule-${index}.ts`)),
      [at('core/decide/story.test.ts')]: 'export const a = 1\n',
    },
    caught: ['packages/core/src/decide'],
  },
  {
    title: 'twelve rooms, sixteen files with their tests, and a list of like things',
    files: {
      ...rooms(12),
      ...files(16, (index) => at(`core/decide/rule-${index}.ts`)),
      ...files(16, (index) => at(`core/decide/rule-${index}.test.ts`)),
      ...files(18, (index) => `packages/engine/src/analysis/shell/rule-${index}.ts`),
    },
    caught: [],
  },
]

const names = (count: number) => Array.from({ length: count }, (_, index) => `name${index}`).join(', ')

export const plantedDoorWidth: readonly Planted[] = [
  {
    title: 'a door of 47 names',
    files: { [at('engine/display/index.ts')]: `export { ${names(47)} } from './a.ts'\n` },
    caught: [at('engine/display/index.ts')],
  },
  {
    title: 'a file of 47 names that is a door by itself',
    files: {
      [at('engine/ports/loop.ts')]: Array.from(
        { length: 47 },
        (_, index) => `export type T${index} = 1\n`,
      ).join(''),
    },
    caught: [at('engine/ports/loop.ts')],
  },
  {
    title: 'a door of 46 names, and the index of a folder inside a room',
    files: {
      [at('engine/display/index.ts')]: `export { ${names(46)} } from './a.ts'\n`,
      [at('engine/display/inner/index.ts')]: `export { ${names(47)} } from './a.ts'\n`,
    },
    caught: [],
  },
]

const house = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [at(`engine/base/long-${index}.ts`), lines(100)]),
)

export const plantedBudget: readonly Planted[] = [
  { title: 'a house beyond its budget', files: house, caught: ['packages/engine/src/base'] },
  { title: 'a house within it', files: { [at('engine/base/a.ts')]: lines(100) }, caught: [] },
]
