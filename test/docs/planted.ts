import type { Planted } from '../architecture/planted/planted.ts'
import type { CheckName } from './checks.ts'

const readme = (text: string, others: Readonly<Record<string, string>> = {}) => ({
  'README.md': text,
  ...others,
})
const caught = (title: string, files: Readonly<Record<string, string>>, where = 'README.md'): Planted => ({
  title,
  files,
  caught: [where],
})
const letThrough = (title: string, files: Readonly<Record<string, string>>): Planted => ({
  title,
  files,
  caught: [],
})

const texts = Object.fromEntries(
  ['README.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CHANGELOG.md', 'LICENSE'].map((name) => [name, 'Text.\n']),
)

const example = { 'examples/01.ts': `import { a } from 'a'\n\nif (a) {\n    run(a)\n    stop()\n}\n` }
const block = (...lines: readonly string[]) => ['Text:', '', '```ts', ...lines, '```', ''].join('\n')

const words = (count: number) => `${'word '.repeat(count)}\n`

export const planted: Readonly<Record<CheckName, readonly Planted[]>> = {
  'required-texts': [
    {
      title: 'two texts that are missing or empty',
      files: { ...texts, LICENSE: '', 'README.md': '\n' },
      caught: ['LICENSE', 'README.md'],
    },
    letThrough('all of them', texts),
  ],
  links: [
    caught('a link to nothing', readme('See [this](docs/no.md).\n')),
    caught('a picture of nothing', readme('![x](docs/no.png)\n')),
    caught('a definition of nothing', readme('See [this].\n\n[this]: docs/no.md\n')),
    caught('a heading that is not there', readme('# Start\n\nSee [there](#begin).\n')),
    caught(
      'a heading that is not there in another text',
      readme('[x](docs/a.md#no)\n', { 'docs/a.md': '# Yes\n' }),
    ),
    caught(
      'a link out of a folder that leads nowhere',
      { 'docs/a/b.md': '[x](../../c.md)\n' },
      'docs/a/b.md',
    ),
    letThrough(
      'files, folders, headings, other people’s pages, and code that looks like a link',
      readme(
        '# The `one` loop!\n# Twice\n# Twice\n[a](docs/a.md#now--then) [b](docs/) [c](#the-one-loop) [d](#twice-1) [e](https://x.y/z.md) [f](mailto:x@y) `[g](no.md)`\n\n```\n[h](no.md)\n```\n',
        { 'docs/a.md': '[r](../README.md)\n## Now & then\n' },
      ),
    ),
  ],
  'code-paths': [
    caught('a path from the root', readme('See `packages/donecheck/src/core/no.ts`.\n')),
    caught('a path from the sources', readme('See `core/no.ts`.\n')),
    caught('a bare name', readme('See `no.ts`.\n')),
    caught('a recipe for a folder that is not there', readme('See `core/no/x.ts`.\n')),
    caught('a text', readme('See `docs/no.md:12`.\n')),
    letThrough(
      'paths from three places, a bare name, files of the user, and words that are no paths',
      readme(
        '`packages/donecheck/src/core/decide.ts:7` `src/core/decide.ts` `core/decide.ts` `decide.ts` `core/x.test.ts` `src/core/NN-name.ts` `donecheck.config.ts` `report.json` `.claude/settings.json` `./a.ts` `~/b.json` `run a.ts` ``x/y.ts``\n',
        { 'packages/donecheck/src/core/decide.ts': '' },
      ),
    ),
  ],
  'npm-scripts': [
    caught(
      'a script in a sentence',
      readme('Run `npm run nothing`.\n', { 'package.json': '{"scripts":{"test":"x"}}' }),
    ),
    caught(
      'a script in a block',
      readme('```sh\nnpm run a\nnpm run no:thing\n```\n', { 'package.json': '{"scripts":{"a":"x"}}' }),
    ),
    letThrough(
      'scripts of the root and of a package, and a command of the user',
      readme('`npm run a:b`, `npm run c`.\n\n```sh\ndonecheck run --until "npm run lint" fix\n```\n', {
        'package.json': '{"scripts":{"a:b":"x"}}',
        'packages/web/package.json': '{"scripts":{"c":"x"}}',
      }),
    ),
  ],
  'package-imports': [
    caught(
      'a source that a reader does not have',
      { 'packages/core/README.md': block("import { fold } from './src/state/index.ts'") },
      'packages/core/README.md',
    ),
    letThrough('the package', {
      'packages/core/README.md': block("import { fold } from '@donecheck/core/internal/state'"),
    }),
  ],
  commands: [
    caught('a flag that is not there', readme('```sh\nnpm test && donecheck list --nosuch\n```\n')),
    caught('a command that is not there', readme('```console\n$ donecheck nosuch\nprinted\n```\n')),
    letThrough('what can be typed', readme('```sh\nnpx donecheck show last # the latest\n```\n')),
  ],
  snippets: [
    caught('code that stands in no example', readme(block('walk(a)'), example)),
    caught('code that leaves a line out', readme(block('if (a) {', 'stop()', '}'), example)),
    caught('half a line', readme(block('run('), example)),
    caught('code in the guide', { 'docs/guide/a.md': block('walk(a)'), ...example }, 'docs/guide/a.md'),
    letThrough('code with another indentation, code of other languages, and the reference', {
      ...readme(block('if (a) {', '  run(a)', '', '  stop()', '}') + '```sh\nnpm test\n```\n', example),
      'docs/reference/a.md': block('walk(a)'),
    }),
  ],
  'page-length': [
    caught('a page of the guide that is too long', { 'docs/guide/a.md': words(2501) }, 'docs/guide/a.md'),
    caught('a first page that is too long', readme(words(2501))),
    caught(
      'a package that explains too much',
      { 'packages/web/README.md': words(151) },
      'packages/web/README.md',
    ),
    letThrough('pages as long as they may be, marks of tables, and tables to look something up', {
      'docs/guide/a.md': `${words(2500)}| --- | - |\n`,
      'docs/reference/command.md': words(5000),
      'docs/measured/a.md': words(5000),
      'packages/web/README.md': words(150),
      'CHANGELOG.md': words(5000),
    }),
  ],
}
