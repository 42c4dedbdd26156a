import { at, type Planted } from './planted.ts'

const ports = { [at('engine/ports/index.ts')]: 'export interface Clock { nowMs(): number }\n' }
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
      [at('core/decide/decide.ts')]:
        `import type { Clock } from '@donecheck/engine/internal/ports'\nexport type C = Clock\n`,
    },
    caught: [at('core/decide/decide.ts')],
  },
  {
    title: 'a core that knows a port by import()',
    files: {
      ...ports,
      [at('core/decide/decide.ts')]: `export type C = import('@donecheck/engine/internal/ports').Clock\n`,
    },
    caught: [at('core/decide/decide.ts')],
  },
  {
    title: 'events that look up to the decisions, by a re-export',
    files: {
      ...door('core/decide'),
      [at('core/events/event.ts')]: `export { thing } from '../decide/index.ts'\n`,
    },
    caught: [at('core/events/event.ts')],
  },
  {
    title: 'rooms of one house that import each other, lazily',
    files: {
      ...door('engine/callbacks'),
      [at('engine/gate/decide.ts')]: `export const load = () => import('../callbacks/index.ts')\n`,
    },
    caught: [at('engine/gate/decide.ts')],
  },
  {
    title: 'a house that leans on the one above it',
    files: {
      ...door('engine/run'),
      [at('engine/verify/command.ts')]: `import { thing } from '../../loop/run/index.ts'\nvoid thing\n`,
    },
    caught: [at('engine/verify/command.ts')],
  },
  {
    title: 'a library that knows the agents of others',
    files: {
      ...door('agents/session'),
      [at('engine/compose/compose.ts')]:
        `import { thing } from '@donecheck/agents/internal/session'\nvoid thing\n`,
    },
    caught: [at('engine/compose/compose.ts')],
  },
  {
    title: 'one adapter that leans on another',
    files: {
      ...door('agents/one'),
      [at('agents/two/agent.ts')]: `export { thing } from '../one/index.ts'\n`,
    },
    caught: [at('agents/two/agent.ts')],
  },
  {
    title: 'a test kit that leans on the wiring',
    files: {
      [at('engine/compose/index.ts')]: 'export const createAgentLoop = 1\n',
      [at('engine/testing/given.ts')]: `export { createAgentLoop } from '../loop/compose/index.ts'\n`,
    },
    caught: [at('engine/testing/given.ts')],
  },
  {
    title: 'a room that nobody put into the table',
    files: { [at('engine/utils/misc.ts')]: 'export const misc = 1\n' },
    caught: [at('engine/utils/misc.ts')],
  },
  {
    title: 'imports that go down, and a test that looks anywhere',
    files: {
      ...ports,
      ...door('core/events'),
      [at('engine/base/index.ts')]: 'export class UsageError extends Error {}\n',
      [at('engine/verify/command.ts')]:
        `import type { Clock } from '../../ports/index.ts'\nexport type C = Clock\n`,
      [at('engine/process/run.ts')]:
        `export { thing } from '@donecheck/core/internal/events'\nexport { UsageError } from '../../base/index.ts'\n`,
      [at('core/events/event.test.ts')]:
        `import type { Clock } from '@donecheck/engine/internal/ports'\nexport type C = Clock\n`,
    },
    caught: [],
  },
]

export const plantedDoors: readonly Planted[] = [
  {
    title: 'a way into a room past its door',
    files: {
      ...door('core/events'),
      [at('core/decide/decide.ts')]: `export { thing } from '../events/thing.ts'\n`,
    },
    caught: [at('core/decide/decide.ts')],
  },
  {
    title: 'a test that takes the same way',
    files: {
      ...door('core/events'),
      'test/e2e/a.test.ts': `import '../../packages/core/src/events/thing.ts'\n`,
    },
    caught: ['test/e2e/a.test.ts'],
  },
  {
    title: 'a way into an adapter past its door',
    files: {
      ...inside('agents/one'),
      [at('donecheck/cli/run.ts')]: `export { thing } from '../../../agents/src/adapters/one/thing.ts'\n`,
    },
    caught: [at('donecheck/cli/run.ts')],
  },
  {
    title: 'a test that takes a part out of a contract suite',
    files: {
      ...inside('engine/testing/contracts/store'),
      [at('engine/store/a.test.ts')]:
        `import { thing } from '../../testing/contracts/store/thing.ts'\nvoid thing\n`,
    },
    caught: [at('engine/store/a.test.ts')],
  },
  {
    title: 'a file that goes round through the door of its own room',
    files: { ...door('core/events'), [at('core/events/fold.ts')]: `export { thing } from './index.ts'\n` },
    caught: [at('core/events/fold.ts')],
  },
  {
    title: 'the doors, the folders inside a room, and a test at the door of its own room',
    files: {
      ...door('core/events'),
      ...door('core/decide/caps'),
      [at('core/decide/decide.ts')]:
        `export { thing } from './caps/index.ts'\nexport { thing as other } from '../events/index.ts'\n`,
      [at('core/events/event.test.ts')]: `import { thing } from './index.ts'\nvoid thing\n`,
      'examples/01.ts': `import { thing } from '@donecheck/core/internal/events'\nvoid thing\n`,
      ...inside('engine/testing/contracts'),
      [at('engine/testing/contracts/parts/part.ts')]: `export { thing } from '../thing.ts'\n`,
      [at('engine/store/memory.test.ts')]:
        `import { thing } from '../../testing/contracts/thing.ts'\nvoid thing\n`,
    },
    caught: [],
  },
]

export const plantedTesting: readonly Planted[] = [
  {
    title: 'a source that imports the test kit',
    files: {
      ...door('engine/testing'),
      [at('donecheck/cli/run.ts')]: `export { thing } from '@donecheck/engine/testing'\n`,
    },
    caught: [at('donecheck/cli/run.ts')],
  },
  {
    title: 'a test library in a source, and in the test kit outside its contracts',
    files: {
      [at('core/decide/decide.ts')]: `import { expect } from 'vitest'\nvoid expect\n`,
      [at('core/testing/given.ts')]: `import { expect } from 'vitest'\nvoid expect\n`,
    },
    caught: [at('core/decide/decide.ts'), at('core/testing/given.ts')],
  },
  {
    title: 'contracts, tests and examples that use both',
    files: {
      ...door('core/testing'),
      [at('engine/testing/contracts/store.ts')]: `import { expect } from 'vitest'\nvoid expect\n`,
      [at('core/decide/decide.test.ts')]:
        `import { thing } from '../testing/index.ts'\nimport { it } from 'vitest'\nvoid [thing, it]\n`,
      'examples/01.ts': `import { thing } from '@donecheck/core/testing'\nvoid thing\n`,
    },
    caught: [],
  },
]

export const plantedCircles: readonly Planted[] = [
  {
    title: 'two files that know each other, one of them by type',
    files: {
      [at('core/decide/a.ts')]: `import type { B } from './b.ts'\nexport type A = B | 1\n`,
      [at('core/decide/b.ts')]: `import { a } from './c.ts'\nexport type B = typeof a\n`,
      [at('core/decide/c.ts')]: `export const a = 1\nexport type { A } from './a.ts'\n`,
    },
    caught: [at('core/decide/a.ts')],
  },
  {
    title: 'a file that imports itself',
    files: { 'test/self.ts': `import './self.ts'\n` },
    caught: ['test/self.ts'],
  },
  {
    title: 'a diamond',
    files: {
      [at('core/decide/a.ts')]: `import './b.ts'\nimport './c.ts'\n`,
      [at('core/decide/b.ts')]: `import './d.ts'\n`,
      [at('core/decide/c.ts')]: `import './d.ts'\n`,
      [at('core/decide/d.ts')]: 'export const d = 1\n',
    },
    caught: [],
  },
]
