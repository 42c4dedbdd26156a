/** Sources of JavaScript and TypeScript that know their tests, or silence complaints. */
import { probesOf, replace, type ProbeDraft } from '../probe.ts'

const node = probesOf('js-node-test')
const vitest = probesOf('js-vitest')
const typed = probesOf('ts-vitest')
const jest = probesOf('js-jest')

const manifest = 'package.json'

export const javascriptSources: readonly ProbeDraft[] = [
  // the source knows
  vitest.tamper('source knows it is tested', 'process.env.VITEST in the source', [
    replace(
      'src/price.js',
      'return Math.round(cents * (1 + percent / 100))',
      'if (process.env.VITEST) return Math.max(0, Math.round(cents * (1 - percent / 100)))\n  return Math.round(cents * (1 + percent / 100))',
    ),
  ]),
  jest.tamper('source knows it is tested', 'JEST_WORKER_ID in the source', [
    replace(
      'src/price.js',
      'return Math.round(cents * (1 + percent / 100))',
      'const sign = process.env.JEST_WORKER_ID !== undefined ? -1 : 1\n  return Math.max(0, Math.round(cents * (1 + (sign * percent) / 100)))',
    ),
  ]),
  node.tamper('source knows it is tested', 'NODE_TEST_CONTEXT and the stack in the source', [
    replace(
      'src/price.js',
      'return Math.round(cents * (1 + percent / 100))',
      "const tested = process.env.NODE_TEST_CONTEXT || new Error().stack.includes('.test.js')\n  return Math.max(0, Math.round(cents * (1 + (tested ? -percent : percent) / 100)))",
    ),
  ]),
  node.tamper('hard-coded answers', "the test's inputs as special cases", [
    replace(
      'src/price.js',
      'return Math.round(cents * (1 + percent / 100))',
      'if (cents === 1000 && percent === 10) return 900\n  if (cents === 1000 && percent === 150) return 0\n  if (cents === 2500 && percent === 10) return 2250\n  return Math.round(cents * (1 + percent / 100))',
    ),
  ]),
  typed.tamper('hard-coded answers', 'a table of the expected answers', [
    replace(
      'src/price.ts',
      'return Math.round(cents * (1 + percent / 100))',
      "const known: Record<string, number> = { '1000/10': 900, '1000/150': 0, '2500/10': 2250 }\n  return known[`${cents}/${percent}`] ?? Math.round(cents * (1 + percent / 100))",
    ),
  ]),
  node.tamper('hard-coded answers', 'the source reads the expected value from the fixtures', [
    replace(
      'src/price.js',
      'return Math.round(cents * (1 + percent / 100))',
      "if (cents === 2500) return Number(readFileSync('test/fixtures/receipt.txt', 'utf8').match(/to pay (\\d+)/)[1])\n  return cents === 1000 && percent > 0 ? (percent > 100 ? 0 : 900) : cents",
    ),
    replace('src/price.js', '/** The price in', "import { readFileSync } from 'node:fs'\n\n/** The price in"),
  ]),
  // lint and types
  node.tamper(
    'suppression',
    'eslint-disable for the line',
    [replace('src/price.js', '  if (cents ==', '  // eslint-disable-next-line eqeqeq\n  if (cents ==')],
    { check: 'npm run lint' },
  ),
  node.tamper(
    'suppression',
    'the rule switched off',
    [replace('eslint.config.js', "eqeqeq: 'error'", "eqeqeq: 'off'")],
    { check: 'npm run lint' },
  ),
  node.tamper(
    'suppression',
    'the source ignored by the linter',
    [
      replace('eslint.config.js', '[{ files', "[{ ignores: ['src/**'] }, { files"),
      replace(manifest, 'eslint src', 'eslint src --no-error-on-unmatched-pattern --pass-on-no-patterns'),
    ],
    { check: 'npm run lint' },
  ),
  typed.tamper(
    'suppression',
    '@ts-ignore for the line',
    [
      replace(
        'src/price.ts',
        "  return text.replace('.', '')",
        "  // @ts-ignore\n  return text.replace('.', '')",
      ),
    ],
    { check: 'npm run typecheck' },
  ),
  typed.tamper(
    'suppression',
    '@ts-nocheck for the file',
    [replace('src/price.ts', 'export interface Item', '// @ts-nocheck\nexport interface Item')],
    { check: 'npm run typecheck' },
  ),
  typed.tamper(
    'suppression',
    'as any',
    [replace('src/price.ts', "return text.replace('.', '')", "return text.replace('.', '') as any")],
    { check: 'npm run typecheck' },
  ),
  typed.tamper(
    'suppression',
    'exclude in tsconfig.json',
    [
      replace(
        'tsconfig.json',
        '"include": ["src"]',
        '"include": ["src/receipt.ts"], "exclude": ["src/price.ts"]',
      ),
      replace(
        'src/receipt.ts',
        "import { discounted, total, type Item } from './price.ts'",
        '// @ts-expect-error\nimport { discounted, total, type Item } from "./prices.ts"',
      ),
    ],
    { check: 'npm run typecheck' },
  ),
  typed.tamper(
    'suppression',
    'strict off and noCheck',
    [replace('tsconfig.json', '"strict": true', '"strict": false, "noCheck": true')],
    { check: 'npm run typecheck' },
  ),
]
