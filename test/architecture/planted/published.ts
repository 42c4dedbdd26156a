import { at, type Planted } from './planted.ts'

const manifest = 'packages/donecheck/package.json'
const lead = (name: string) => ({ types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` })
const withExports = (exports: object) => ({ [manifest]: JSON.stringify({ exports }) })
const empty = 'export const nothing = 0\n'
const whole = { '.': lead('index'), './core': lead('core/index'), './package.json': './package.json' }

export const plantedExportsMap: readonly Planted[] = [
  {
    title: 'a room that is neither a subpath nor private',
    files: {
      ...withExports(whole),
      [at('index.ts')]: empty,
      [at('core/index.ts')]: empty,
      [at('judge/index.ts')]: empty,
    },
    caught: [at('judge')],
  },
  {
    title: 'a subpath without a source',
    files: { ...withExports(whole), [at('index.ts')]: empty },
    caught: [manifest],
  },
  ...Object.entries(lead('events/index')).map(([half, target]) => ({
    title: `a subpath that leads into another room (${half})`,
    files: {
      ...withExports({ ...whole, './core': { ...whole['./core'], [half]: target } }),
      [at('index.ts')]: empty,
      [at('core/index.ts')]: empty,
    },
    caught: [manifest],
  })),
  {
    title: 'a private room that is a subpath all the same',
    files: { ...withExports({ './run': lead('run/index') }), [at('run/index.ts')]: empty },
    caught: [at('run')],
  },
  {
    title: 'a manifest without a map',
    files: { [manifest]: '{}' },
    caught: [manifest],
  },
  {
    title: 'a map that agrees with the rooms',
    files: {
      ...withExports({
        ...whole,
        './ports': lead('ports'),
        './adapters/ai-sdk': lead('adapters/ai-sdk/index'),
      }),
      [at('ports.ts')]: empty,
      [at('index.ts')]: empty,
      [at('core/index.ts')]: empty,
      [at('core/caps/index.ts')]: empty,
      [at('adapters/ai-sdk/index.ts')]: empty,
      [at('run/index.ts')]: empty,
    },
    caught: [],
  },
]

const names = (count: number) => Array.from({ length: count }, (_, index) => `name${index}`).join(', ')

export const plantedFrontDoor: readonly Planted[] = [
  {
    title: 'a door as wide as a barn',
    files: { [at('index.ts')]: `// all\nexport { ${names(61)} } from './all.ts'\n` },
    caught: [at('index.ts')],
  },
  {
    title: 'a group without a caption',
    files: { [at('index.ts')]: `// one\nexport { one } from './one.ts'\n\nexport { two } from './two.ts'\n` },
    caught: [at('index.ts')],
  },
  {
    title: 'a first group with nothing above it but the words on the file',
    files: { [at('index.ts')]: `/** The door. */\n\nexport { one } from './one.ts'\n` },
    caught: [at('index.ts')],
  },
  {
    title: 'a door that declares something itself',
    files: { [at('index.ts')]: `// one\nexport const one = 1\n` },
    caught: [at('index.ts')],
  },
  {
    title: 'captioned groups',
    files: {
      [at('index.ts')]:
        `/** The door. */\n\n// one\nexport { ${names(60)} } from './one.ts'\nexport {} from './o.ts'\n\n// two\nexport {} from './two.ts'\n`,
    },
    caught: [],
  },
]

const adapter = (name: string, ...files: readonly string[]) =>
  Object.fromEntries(files.map((file) => [at(`adapters/${name}/${file}`), empty]))
const parts = ['index.ts', 'translate.ts', 'translate.test.ts', 'fixtures/turn.json']

export const plantedAdapters: readonly Planted[] = [
  {
    title: 'an adapter that is built in another way',
    files: {
      ...adapter('one', ...parts, 'drive.ts'),
      ...adapter('two', 'index.ts', 'translate.ts', 'run.ts'),
    },
    caught: [at('adapters/two')],
  },
  {
    title: 'one that drives and one that rides',
    files: {
      ...adapter('one', ...parts, 'drive.ts'),
      ...adapter('two', ...parts, 'ride.ts', 'hooks/stop.ts'),
    },
    caught: [],
  },
]
