import { at, lines, type Planted } from './planted.ts'

const rooms = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `packages/engine/src/checks/room-${index}/a.ts`,
      'export const a = 1\n',
    ]),
  )

export const plantedEntries: readonly Planted[] = [
  {
    title: 'a house of thirteen rooms',
    files: rooms(13),
    caught: ['packages/engine/src/checks'],
  },
  {
    title: 'twelve rooms, and a long list of like things inside one',
    files: {
      ...rooms(12),
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          at(`core/decide/rule-${index}.ts`),
          'export const a = 1\n',
        ]),
      ),
    },
    caught: [],
  },
]

const names = (count: number) => Array.from({ length: count }, (_, index) => `name${index}`).join(', ')

export const plantedDoorWidth: readonly Planted[] = [
  {
    title: 'a door of 41 names',
    files: { [at('engine/report/index.ts')]: `export { ${names(41)} } from './a.ts'\n` },
    caught: [at('engine/report/index.ts')],
  },
  {
    title: 'a file of 41 names that is a door by itself',
    files: {
      [at('engine/ports/loop.ts')]: Array.from(
        { length: 41 },
        (_, index) => `export type T${index} = 1\n`,
      ).join(''),
    },
    caught: [at('engine/ports/loop.ts')],
  },
  {
    title: 'a door of 40 names, and the index of a folder inside a room',
    files: {
      [at('engine/report/index.ts')]: `export { ${names(40)} } from './a.ts'\n`,
      [at('engine/report/inner/index.ts')]: `export { ${names(41)} } from './a.ts'\n`,
    },
    caught: [],
  },
]

const house = Object.fromEntries(
  Array.from({ length: 5 }, (_, index) => [at(`engine/base/long-${index}.ts`), lines(100)]),
)

export const plantedBudget: readonly Planted[] = [
  { title: 'a house beyond its budget', files: house, caught: ['packages/engine/src/base'] },
  { title: 'a house within it', files: { [at('engine/base/a.ts')]: lines(100) }, caught: [] },
]
