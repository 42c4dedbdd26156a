import { at, type Planted } from './planted.ts'

const manifest = 'packages/core/package.json'
const lead = (name: string) => ({
  'donecheck-source': `./src/${name}.ts`,
  types: `./dist/${name}.d.ts`,
  default: `./dist/${name}.js`,
})
const withExports = (exports: object) => ({ [manifest]: JSON.stringify({ exports }) })
const empty = 'export const nothing = 0\n'
const internal = { './internal/*': lead('*/index') }
const whole = { './testing': lead('testing/index'), ...internal, './package.json': './package.json' }

export const plantedExportsMap: readonly Planted[] = [
  {
    title: 'rooms that nobody can reach',
    files: { ...withExports({}), [at('core/decide/index.ts')]: empty },
    caught: [manifest],
  },
  {
    title: 'a subpath without a source',
    files: { ...withExports(whole), [at('core/events/event.ts')]: empty },
    caught: [manifest],
  },
  {
    title: 'a room of our own that users can import',
    files: {
      ...withExports({ ...whole, './decide': lead('decide/index') }),
      [at('core/testing/index.ts')]: empty,
      [at('core/decide/index.ts')]: empty,
    },
    caught: [manifest],
  },
  ...Object.entries(lead('events/index')).map(([half, target]) => ({
    title: `a subpath that leads into another room (${half})`,
    files: {
      ...withExports({ ...whole, './testing': { ...whole['./testing'], [half]: target } }),
      [at('core/testing/index.ts')]: empty,
      [at('core/decide/index.ts')]: empty,
    },
    caught: [manifest],
  })),
  {
    title: 'a room of the command that is a subpath',
    files: {
      'packages/donecheck/package.json': JSON.stringify({ exports: { './cli': lead('cli/index') } }),
      [at('donecheck/cli/index.ts')]: empty,
    },
    caught: ['packages/donecheck/package.json'],
  },
  {
    title: 'a manifest without a map',
    files: { [manifest]: '{}' },
    caught: [manifest],
  },
  {
    title: 'a map that agrees with the rooms, their folders and their single files',
    files: {
      ...withExports(whole),
      [at('core/testing/index.ts')]: empty,
      [at('core/decide/index.ts')]: empty,
      [at('core/decide/caps/index.ts')]: empty,
      'packages/agents/package.json': JSON.stringify({
        exports: { './ai-sdk': lead('adapters/ai-sdk/index') },
      }),
      [at('agents/ai-sdk/index.ts')]: empty,
      'packages/engine/package.json': JSON.stringify({
        exports: { '.': lead('index'), './internal/ports/*': lead('ports/*'), ...internal },
      }),
      'packages/engine/src/index.ts': empty,
      [at('engine/run/index.ts')]: empty,
      [at('engine/ports/loop.ts')]: empty,
    },
    caught: [],
  },
]

const frontDoor = 'packages/engine/src/index.ts'
const names = (count: number) => Array.from({ length: count }, (_, index) => `name${index}`).join(', ')

export const plantedFrontDoor: readonly Planted[] = [
  {
    title: 'a door as wide as a barn',
    files: { [frontDoor]: `// all\nexport { ${names(47)} } from './all.ts'\n` },
    caught: [frontDoor],
  },
  {
    title: 'a group without a caption',
    files: { [frontDoor]: `// one\nexport { one } from './one.ts'\n\nexport { two } from './two.ts'\n` },
    caught: [frontDoor],
  },
  {
    title: 'a first group with nothing above it but the words on the file',
    files: { [frontDoor]: `/** The door. */\n\nexport { one } from './one.ts'\n` },
    caught: [frontDoor],
  },
  {
    title: 'a door that declares something itself',
    files: { [frontDoor]: `// one\nexport const one = 1\n` },
    caught: [frontDoor],
  },
  {
    title: 'captioned groups',
    files: {
      [frontDoor]: `/** The door. */\n\n// one\nexport { ${names(46)} } from './one.ts'\nexport {} from './o.ts'\n\n// two\nexport {} from './two.ts'\n`,
    },
    caught: [],
  },
]
