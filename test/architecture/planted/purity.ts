import { at, type Planted } from './planted.ts'

const impure: Readonly<Record<string, string>> = {
  'the clock': 'export const now = Date.now()\n',
  'the clock by a constructor': 'export const now = new Date()\n',
  'the clock by a call': 'export const now = Date()\n',
  'the clock under another name': 'const { now } = Date\nexport const t = now()\n',
  randomness: 'export const r = Math.random()\n',
  'randomness under another name': 'const { random } = Math\nexport const r = random()\n',
  'randomness in brackets': `export const r = Math['random']()\n`,
  'a timer': 'setTimeout(() => undefined, 1)\n',
  'the process': 'export const home = process.env\n',
  'the network': `export const page = fetch('x')\n`,
  'the console': `console.log('x')\n`,
  'the global object': 'export const g = globalThis\n',
  'a module of Node': `import { readFileSync } from 'node:fs'\nvoid readFileSync\n`,
  'a library that is not pure': `import { generateText } from 'ai'\nvoid generateText\n`,
}

export const plantedPurity: readonly Planted[] = [
  ...Object.entries(impure).map(([title, text]) => ({
    title: `a pure room that reads ${title}`,
    files: { [at('core/decide/decide.ts')]: text },
    caught: [at('core/decide/decide.ts')],
  })),
  {
    title: 'pure uses of the same words, an impure test, and an impure mover',
    files: {
      [at('core/events/time.ts')]: `import { z } from 'zod'
export const day = (ms: number) => new Date(ms).toISOString() + Math.max(1, Date.UTC(2026)) + Date.parse('x')
export interface Host { process: string; fetch(): void; at: Date }
export const read = (host: Host) => host.process + host.fetch
export const own = (process: string) => z.string().parse(process)
export const made = { fetch: 1, console: 2 }
`,
      [at('core/decide/decide.test.ts')]: 'export const now = Date.now()\n',
      [at('engine/run/clock.ts')]: 'export const now = Date.now()\n',
    },
    caught: [],
  },
]

const appends: Readonly<Record<string, string>> = {
  'by a call': 'export const f = (log: { append(): void }) => log.append()\n',
  'by optional chaining': 'export const f = (log?: { append(): void }) => log?.append()\n',
  'in brackets': `export const f = (log: { append(): void }) => log['append']()\n`,
  'under another name': 'export const f = ({ append: write }: { append(): void }) => write()\n',
}

export const plantedAppend: readonly Planted[] = [
  ...Object.entries(appends).map(([title, text]) => ({
    title: `a mover that appends ${title}`,
    files: { [at('engine/verify/command.ts')]: text },
    caught: [at('engine/verify/command.ts')],
  })),
  {
    title: 'the rooms that may',
    files: Object.fromEntries(
      [
        'engine/run/session.ts',
        'engine/store/memory.ts',
        'engine/testing/store.ts',
        'engine/gate/rule.test.ts',
      ].map((file) => [at(file), 'export const f = (log: { append(): void }) => log.append()\n']),
    ),
    caught: [],
  },
]
