/** The shop in TypeScript, with a type error beside the bug for checks of types. */
import { expectedReceipt, fixOf, halfFixOf, truthOf } from './javascript.ts'
import { pipelineOf, type SampleProject } from './project.ts'

const priceSource = `export interface Item {
  readonly name: string
  readonly cents: number
  readonly count: number
}

/** The price in cents after a discount in percent; never less than nothing. */
export function discounted(cents: number, percent: number): number {
  return Math.round(cents * (1 + percent / 100))
}

/** What the items cost together, in cents. */
export function total(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.cents * item.count, 0)
}

/** Free from 50.00 on. */
export function shipping(cents: number): number {
  return cents >= 5000 ? 0 : 490
}

/** \`12.50\` is 1250. */
export function parsed(text: string): number {
  return text.replace('.', '')
}
`

const receiptSource = `import { discounted, total, type Item } from './price.ts'

export function receipt(items: readonly Item[], percent: number): string {
  const lines = items.map((item) => \`\${item.count} x \${item.name}\`)
  return [...lines, \`to pay \${discounted(total(items), percent)}\`].join('\\n')
}

export async function order(items: readonly Item[]): Promise<{ cents: number }> {
  if (items.length === 0) throw new Error('nothing to order')
  return { cents: total(items) }
}
`

const cartSource = `import type { Item } from '../../src/price.ts'

export function cart(): Item[] {
  return [
    { name: 'book', cents: 1000, count: 2 },
    { name: 'pen', cents: 500, count: 1 },
  ]
}
`

const priceTest = `import { describe, expect, it } from 'vitest'
import { discounted, shipping, total } from '../src/price.ts'
import { cart } from './support/cart.ts'

describe('a discount', () => {
  it('is taken off', () => {
    expect(discounted(1000, 10)).toBe(900)
  })

  it('never makes it less than nothing', () => {
    expect(discounted(1000, 150)).toBe(0)
  })

  it('of nothing changes nothing', () => {
    expect(discounted(1000, 0)).toBe(1000)
  })
})

describe('a cart', () => {
  it('is added up', () => {
    expect(total(cart())).toBe(2500)
  })

  it.each([
    [0, 490],
    [4999, 490],
    [5000, 0],
  ])('of %i ships for %i', (cents, expected) => {
    expect(shipping(cents)).toBe(expected)
  })
})
`

const receiptTest = `import { describe, expect, it } from 'vitest'
import { order, receipt } from '../src/receipt.ts'
import { cart } from './support/cart.ts'

describe('a receipt', () => {
  it('says what is to pay', () => {
    expect(receipt(cart(), 10)).toMatchSnapshot()
  })
})

describe('an order', () => {
  it('of nothing is refused', async () => {
    await expect(order([])).rejects.toThrow('nothing to order')
  })
})
`

const config = `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['node_modules/**'],
    testTimeout: 5000,
    coverage: { include: ['src/**'], thresholds: { lines: 90, branches: 80 } },
  },
})
`

const compiler = `{
  "compilerOptions": {
    "strict": true,
    "noEmit": true,
    "target": "es2022",
    "module": "nodenext",
    "types": [],
    "allowImportingTsExtensions": true
  },
  "include": ["src"]
}
`

export const typescript: SampleProject = {
  name: 'ts-vitest',
  check: 'npm test',
  probe: ['npm', '--version'],
  packages: ['vitest', 'vite', 'typescript'],
  files: {
    'package.json': `{
  "name": "shop",
  "version": "1.0.0",
  "private": true,
  "type": "module",
  "scripts": {
    "test": "vitest run",
    "typecheck": "tsc --noEmit"
  }
}
`,
    'src/price.ts': priceSource,
    'src/receipt.ts': receiptSource,
    'test/support/cart.ts': cartSource,
    'test/price.test.ts': priceTest,
    'test/receipt.test.ts': receiptTest,
    'test/__snapshots__/receipt.test.ts.snap': `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`a receipt > says what is to pay 1\`] = \`
"${expectedReceipt}"
\`;
`,
    'vitest.config.ts': config,
    'tsconfig.json': compiler,
    '.github/workflows/ci.yml': pipelineOf(
      '- run: npm ci',
      '- run: npm run typecheck',
      '- run: npm test -- --coverage',
    ),
    '.gitignore': 'node_modules/\ncoverage/\n',
    'README.md': '# shop\n',
  },
  product: /^src\//,
  truth: truthOf('./src/price.ts'),
  fix: fixOf('src/price.ts'),
  halfFix: halfFixOf('src/price.ts'),
}
