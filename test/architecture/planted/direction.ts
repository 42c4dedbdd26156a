import { at, type Planted } from './planted.ts'

const ports = { [at('ports.ts')]: 'export interface Clock { nowMs(): number }\n' }
const door = (room: string) => ({
  [at(`${room}/index.ts`)]: `export { thing } from './thing.ts'\n`,
  ...inside(room),
})
const inside = (room: string) => ({ [at(`${room}/thing.ts`)]: 'export const thing = 1\n' })

export const plantedDirection: readonly Planted[] = [
  {
    title: 'a core that knows a port, if only by type',
    files: {
      ...ports,
      [at('core/decide.ts')]: `import type { Clock } from '../ports.ts'\nexport type C = Clock\n`,
    },
    caught: [at('core/decide.ts')],
  },
  {
    title: 'a core that knows a port by import()',
    files: { ...ports, [at('core/decide.ts')]: `export type C = import('../ports.ts').Clock\n` },
    caught: [at('core/decide.ts')],
  },
  {
    title: 'events that look up to the core, by a re-export',
    files: { ...door('core'), [at('events/event.ts')]: `export { thing } from '../core/index.ts'\n` },
    caught: [at('events/event.ts')],
  },
  {
    title: 'siblings that import each other, lazily',
    files: {
      ...door('verify'),
      [at('gate/decide.ts')]: `export const load = () => import('../verify/index.ts')\n`,
    },
    caught: [at('gate/decide.ts')],
  },
  {
    title: 'a room that imports the package by its own name',
    files: {
      ...door('run'),
      [at('verify/command.ts')]: `import { thing } from 'donecheck/run'\nvoid thing\n`,
    },
    caught: [at('verify/command.ts')],
  },
  {
    title: 'one adapter that leans on another',
    files: {
      ...door('adapters/one'),
      [at('adapters/two/drive.ts')]: `export { thing } from '../one/index.ts'\n`,
    },
    caught: [at('adapters/two/drive.ts')],
  },
  {
    title: 'a test kit that leans on the wiring',
    files: {
      [at('compose.ts')]: 'export const createAgentLoop = 1\n',
      [at('testing/given.ts')]: `export { createAgentLoop } from '../compose.ts'\n`,
    },
    caught: [at('testing/given.ts')],
  },
  {
    title: 'a room that nobody put into the table',
    files: { [at('utils/misc.ts')]: 'export const misc = 1\n' },
    caught: [at('utils/misc.ts')],
  },
  {
    title: 'imports that go down, a named neighbour, and a test that looks anywhere',
    files: {
      ...ports,
      ...door('events'),
      [at('errors.ts')]: 'export class UsageError extends Error {}\n',
      [at('verify/command.ts')]: `import type { Clock } from '../ports.ts'\nexport type C = Clock\n`,
      [at('process/run.ts')]:
        `export { thing } from '../events/index.ts'\nexport { UsageError } from '../errors.ts'\n`,
      [at('events/event.test.ts')]: `import type { Clock } from '../ports.ts'\nexport type C = Clock\n`,
    },
    caught: [],
  },
]

export const plantedDoors: readonly Planted[] = [
  {
    title: 'a way into a room past its door',
    files: { ...door('events'), [at('core/decide.ts')]: `export { thing } from '../events/thing.ts'\n` },
    caught: [at('core/decide.ts')],
  },
  {
    title: 'a test that takes the same way',
    files: {
      ...door('events'),
      'test/e2e/a.test.ts': `import '../../packages/donecheck/src/events/thing.ts'\n`,
    },
    caught: ['test/e2e/a.test.ts'],
  },
  {
    title: 'a way into an adapter past its door',
    files: {
      ...inside('adapters/one'),
      [at('cli/run.ts')]: `export { thing } from '../adapters/one/thing.ts'\n`,
    },
    caught: [at('cli/run.ts')],
  },
  {
    title: 'a test that takes a part out of a contract suite',
    files: {
      ...inside('testing/contracts/store'),
      [at('store/a.test.ts')]: `import { thing } from '../testing/contracts/store/thing.ts'\nvoid thing\n`,
    },
    caught: [at('store/a.test.ts')],
  },
  {
    title: 'a file that goes round through the door of its own room',
    files: { ...door('events'), [at('events/fold.ts')]: `export { thing } from './index.ts'\n` },
    caught: [at('events/fold.ts')],
  },
  {
    title: 'the doors, the folders inside a room, and a test at the door of its own room',
    files: {
      ...door('events'),
      ...door('core/caps'),
      [at('core/decide.ts')]:
        `export { thing } from './caps/index.ts'\nexport { thing as other } from '../events/index.ts'\n`,
      [at('events/event.test.ts')]: `import { thing } from './index.ts'\nvoid thing\n`,
      'examples/01.ts': `import { thing } from 'donecheck/events'\nvoid thing\n`,
      ...inside('testing/contracts'),
      [at('testing/contracts/parts/part.ts')]: `export { thing } from '../thing.ts'\n`,
      [at('store/memory.test.ts')]: `import { thing } from '../testing/contracts/thing.ts'\nvoid thing\n`,
    },
    caught: [],
  },
]

export const plantedTesting: readonly Planted[] = [
  {
    title: 'a source that imports the test kit',
    files: { ...door('testing'), [at('cli/run.ts')]: `export { thing } from '../testing/index.ts'\n` },
    caught: [at('cli/run.ts')],
  },
  {
    title: 'a test library in a source, and in the test kit outside its contracts',
    files: {
      [at('core/decide.ts')]: `import { expect } from 'vitest'\nvoid expect\n`,
      [at('testing/given.ts')]: `import { expect } from 'vitest'\nvoid expect\n`,
    },
    caught: [at('core/decide.ts'), at('testing/given.ts')],
  },
  {
    title: 'contracts, tests and examples that use both',
    files: {
      ...door('testing'),
      [at('testing/contracts/store.ts')]: `import { expect } from 'vitest'\nvoid expect\n`,
      [at('core/decide.test.ts')]:
        `import { thing } from '../testing/index.ts'\nimport { it } from 'vitest'\nvoid [thing, it]\n`,
      'examples/01.ts': `import { thing } from 'donecheck/testing'\nvoid thing\n`,
    },
    caught: [],
  },
]

export const plantedCircles: readonly Planted[] = [
  {
    title: 'two files that know each other, one of them by type',
    files: {
      [at('core/a.ts')]: `import type { B } from './b.ts'\nexport type A = B | 1\n`,
      [at('core/b.ts')]: `import { a } from './c.ts'\nexport type B = typeof a\n`,
      [at('core/c.ts')]: `export const a = 1\nexport type { A } from './a.ts'\n`,
    },
    caught: [at('core/a.ts')],
  },
  {
    title: 'a file that imports itself',
    files: { 'test/self.ts': `import './self.ts'\n` },
    caught: ['test/self.ts'],
  },
  {
    title: 'a diamond',
    files: {
      [at('core/a.ts')]: `import './b.ts'\nimport './c.ts'\n`,
      [at('core/b.ts')]: `import './d.ts'\n`,
      [at('core/c.ts')]: `import './d.ts'\n`,
      [at('core/d.ts')]: 'export const d = 1\n',
    },
    caught: [],
  },
]
