/** The same little shop for four runners of JavaScript. */
import { replace, type Edit, type ProjectName } from '../probe.ts'
import { pipelineOf, type SampleProject, type Truth } from './project.ts'

const price = `/** The price in cents after a discount in percent; never less than nothing. */
EXPORT function discounted(cents, percent) {
  return Math.round(cents * (1 + percent / 100))
}

/** What the items cost together, in cents. */
EXPORT function total(items) {
  return items.reduce((sum, item) => sum + item.cents * item.count, 0)
}

/** Free from 50.00 on. */
EXPORT function shipping(cents) {
  if (cents == undefined) return 0
  return cents >= 5000 ? 0 : 490
}
`

const receipt = `/** The lines of a receipt. */
EXPORT function receipt(items, percent) {
  const lines = items.map((item) => item.count + ' x ' + item.name)
  return [...lines, 'to pay ' + discounted(total(items), percent)].join('\\n')
}

/** Rejects where there is nothing to order. */
EXPORT async function order(items) {
  if (items.length === 0) throw new Error('nothing to order')
  return { cents: total(items) }
}
`

const cart = `/** Two books and a pen. */
EXPORT function cart() {
  return [
    { name: 'book', cents: 1000, count: 2 },
    { name: 'pen', cents: 500, count: 1 },
  ]
}
`

export const expectedReceipt = '2 x book\n1 x pen\nto pay 2250'

/** How a runner words a test. */
interface Wording {
  readonly module: 'esm' | 'commonjs'
  readonly head: string
  readonly word: 'test' | 'it'
  readonly equal: (actual: string, expected: string) => string
  readonly golden: string
  readonly rejects: string
}

function priceTest({ module, head, word, equal }: Wording): string {
  return `${head}${imports(module, 'discounted, shipping, total', '../src/price.js')}${imports(module, 'cart', './support/cart.js')}
${word}('takes the discount off', () => {
  ${equal('discounted(1000, 10)', '900')}
})

${word}('never goes below nothing', () => {
  ${equal('discounted(1000, 150)', '0')}
})

${word}('leaves the price without a discount', () => {
  ${equal('discounted(1000, 0)', '1000')}
})

${word}('adds the items up', () => {
  ${equal('total(cart())', '2500')}
})

for (const [cents, expected] of [
  [0, 490],
  [4999, 490],
  [5000, 0],
]) {
  ${word}('ships ' + cents, () => {
    ${equal('shipping(cents)', 'expected')}
  })
}
`
}

function receiptTest({ module, head, word, golden, rejects }: Wording): string {
  return `${head}${imports(module, 'order, receipt', '../src/receipt.js')}${imports(module, 'cart', './support/cart.js')}
${word}('prints what is to pay', () => {
  ${golden}
})

${word}('refuses an empty order', async () => {
  ${rejects}
})
`
}

function imports(module: Wording['module'], names: string, from: string): string {
  return module === 'esm'
    ? `import { ${names} } from '${from}'\n`
    : `const { ${names} } = require('${from}')\n`
}

function asModule(module: Wording['module'], text: string): string {
  if (module === 'esm') return text.replaceAll('EXPORT ', 'export ')
  const names = [...text.matchAll(/EXPORT (?:async )?function (\w+)/g)].map(([, name = '']) => name)
  return `${text.replaceAll('EXPORT ', '')}\nmodule.exports = { ${names.join(', ')} }\n`
}

interface Parts {
  readonly name: ProjectName
  readonly wording: Wording
  readonly script: string
  readonly packages: readonly string[]
  readonly extra: Readonly<Record<string, string>>
  readonly executable?: readonly string[]
}

function projectOf({ name, wording, script, packages, extra, executable = [] }: Parts): SampleProject {
  const { module } = wording
  const asText = (text: string) => asModule(module, text)
  return {
    name,
    check: 'npm test',
    probe: ['npm', '--version'],
    packages,
    files: {
      'package.json': `${JSON.stringify({ name: 'shop', version: '1.0.0', private: true, ...(module === 'esm' ? { type: 'module' } : {}), scripts: { test: script, lint: 'eslint src' } }, null, 2)}\n`,
      'src/price.js': asText(price),
      'src/receipt.js': imports(module, 'discounted, total', './price.js') + '\n' + asText(receipt),
      'test/support/cart.js': asText(cart),
      'test/price.test.js': priceTest(wording),
      'test/receipt.test.js': receiptTest(wording),
      '.github/workflows/ci.yml': pipelineOf('- run: npm ci', '- run: npm run lint', '- run: npm test'),
      '.husky/pre-commit': 'npm test\n',
      '.gitignore': 'node_modules/\ncoverage/\n',
      'README.md': '# shop\n',
      ...extra,
    },
    executable: ['.husky/pre-commit', ...executable],
    product: /^src\//,
    truth: truthOf('./src/price.js'),
    fix: fixOf('src/price.js'),
    halfFix: halfFixOf('src/price.js'),
  }
}

const broken = 'Math.round(cents * (1 + percent / 100))'

export function fixOf(path: string): Edit {
  return replace(path, broken, 'Math.max(0, Math.round(cents * (1 - percent / 100)))')
}

export function halfFixOf(path: string): Edit {
  return replace(path, broken, 'Math.round(cents * (1 - percent / 100))')
}

export function truthOf(path: string): Truth {
  return {
    line: `node -e "import('${path}').then((shop) => console.log(shop.discounted(1000, 10), shop.discounted(400, 25), shop.discounted(1000, 150)))"`,
    prints: '900 300 0',
  }
}

const toBe = (actual: string, expected: string) => `expect(${actual}).toBe(${expected})`
const assertEqual = (actual: string, expected: string) => `assert.equal(${actual}, ${expected})`
const matchesSnapshot = 'expect(receipt(cart(), 10)).toMatchSnapshot()'
const rejectsToThrow = "await expect(order([])).rejects.toThrow('nothing to order')"
const assertRejects = 'await assert.rejects(order([]), /nothing to order/)'

export const nodeTest = projectOf({
  name: 'js-node-test',
  script: "node --test 'test/*.test.js'",
  packages: ['eslint'],
  wording: {
    module: 'esm',
    head: "import assert from 'node:assert/strict'\nimport { readFileSync } from 'node:fs'\nimport { test } from 'node:test'\n",
    word: 'test',
    equal: assertEqual,
    golden:
      "assert.equal(receipt(cart(), 10), readFileSync(new URL('./fixtures/receipt.txt', import.meta.url), 'utf8'))",
    rejects: assertRejects,
  },
  extra: {
    'test/fixtures/receipt.txt': expectedReceipt,
    'eslint.config.js':
      "export default [{ files: ['**/*.js'], rules: { eqeqeq: 'error', 'no-unused-vars': 'error' } }]\n",
    'scripts/healthy.mjs':
      "const answer = await fetch('http://127.0.0.1:48123/health').catch(() => ({ status: 0 }))\nprocess.exitCode = answer.status === 200 ? 0 : 1\n",
    'scripts/check.sh': "#!/bin/sh\nset -e\nnode --test 'test/*.test.js'\n",
  },
  executable: ['scripts/check.sh'],
})

const snapshotOf = (runner: string) =>
  `// ${runner}\n\nexports[\`prints what is to pay 1\`] = \`\n"${expectedReceipt}"\n\`;\n`

export const vitest = projectOf({
  name: 'js-vitest',
  script: 'vitest run',
  packages: ['vitest', 'vite'],
  wording: {
    module: 'esm',
    head: "import { expect, it } from 'vitest'\n",
    word: 'it',
    equal: toBe,
    golden: matchesSnapshot,
    rejects: rejectsToThrow,
  },
  extra: {
    'test/__snapshots__/receipt.test.js.snap': snapshotOf(
      'Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html',
    ),
    'vitest.config.js': `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.js'],
    testTimeout: 5000,
    setupFiles: ['test/support/setup.js'],
    coverage: { thresholds: { lines: 80 } },
  },
})
`,
    'test/support/setup.js': "process.env.TZ = 'UTC'\n",
  },
})

export const jest = projectOf({
  name: 'js-jest',
  script: 'jest',
  packages: ['jest'],
  wording: {
    module: 'commonjs',
    head: '',
    word: 'test',
    equal: toBe,
    golden: matchesSnapshot,
    rejects: rejectsToThrow,
  },
  extra: {
    'test/__snapshots__/receipt.test.js.snap': snapshotOf('Jest Snapshot v1, https://goo.gl/fbAQLP'),
    'jest.config.js': `module.exports = {
  testMatch: ['<rootDir>/test/**/*.test.js'],
  transform: {},
  coverageThreshold: { global: { lines: 80 } },
}
`,
  },
})

export const mocha = projectOf({
  name: 'js-mocha',
  script: 'mocha',
  packages: ['mocha'],
  wording: {
    module: 'commonjs',
    head: "const assert = require('node:assert/strict')\nconst { readFileSync } = require('node:fs')\n",
    word: 'it',
    equal: assertEqual,
    golden: "assert.equal(receipt(cart(), 10), readFileSync(__dirname + '/fixtures/receipt.txt', 'utf8'))",
    rejects: assertRejects,
  },
  extra: {
    'test/fixtures/receipt.txt': expectedReceipt,
    '.mocharc.json': '{ "spec": ["test/*.test.js"], "timeout": 2000 }\n',
  },
})
