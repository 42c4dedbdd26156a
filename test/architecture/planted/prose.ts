import type { Planted } from './planted.ts'

const source = 'packages/core/src/x.ts'

const inSource = (title: string, text: string): Planted => ({
  title,
  files: { [source]: text },
  caught: [source],
})

export const plantedProse: readonly Planted[] = [
  inSource('a comment about nobody', '/** Nobody reads it. */\nexport const limit = 1\n'),
  inSource(
    'a comment that begins with a riddle',
    '/** Undefined: it has not begun. */\nexport const limit = 1\n',
  ),
  inSource('a message that goes on', "export const message = 'the run goes on without it'\n"),
  inSource(
    'a message in a template',
    'export const message = (name: string) => `${name} is told what fails`\n',
  ),
  inSource(
    'a function without a verb',
    'export function textOf(value: unknown): string {\n  return String(value)\n}\n',
  ),
  inSource('a value named by a participle', 'export const told = 1\n'),
  {
    title: 'a page that says whoever',
    files: { 'docs/guide/x.md': 'Whoever reads it knows.\n' },
    caught: ['docs/guide/x.md'],
  },
  {
    title: 'plain English',
    files: {
      [source]:
        "/** Returns undefined if the run has not started. */\nexport const message = 'The run continues without it.'\n",
      'docs/guide/x.md': 'donecheck sends the failures back to the agent.\n\n```sh\nnobody goes on\n```\n',
    },
    caught: [],
  },
  { title: 'a test', files: { 'packages/core/src/x.test.ts': '// Nobody reads it.\n' }, caught: [] },
]
