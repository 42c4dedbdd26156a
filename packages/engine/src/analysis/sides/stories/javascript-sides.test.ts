import { describe, expect, it } from 'vitest'
import { sidesIn, type Told } from '../fixtures/trees.ts'

const project = {
  'cart.js': "import { round } from './money.js'\nexport const total = (all) => all.length",
  'money.js': 'export const round = (n) => n',
  'cart.test.js':
    "import { test } from 'node:test'\nimport { total } from './cart.js'\nimport { sample } from './test/sample.js'",
  'test/sample.js': "export const sample = ['a']\nexport const text = readFileSync('test/sample.json')",
  'test/sample.json': '[]',
  'package.json': '{"name": "cart", "scripts": {"test": "node --test"}}',
}

const cases: Readonly<Record<string, Told>> = {
  'a new benchmark, and new examples': {
    given: { 'src/price.js': 'x', 'price.test.js': "import './src/price.js'" },
    shall: { 'bench/price.bench.js': 'check: test', 'examples/price.js': 'product: source' },
    texts: {
      'bench/price.bench.js': "import { bench } from 'vitest'\nimport '../src/price.js'",
      'examples/price.js': "import '../src/price.js'",
    },
  },
  'a manifest that leads a helper of the tests elsewhere': {
    given: {
      'src/price.js': 'x',
      'test/price.test.js': "import './support'\nimport '../src/price.js'",
      'test/support/index.js': 'x',
      'packages/test-utils/package.json': '{"main": "index.js"}',
    },
    shall: {
      'test/support/package.json': 'check: takes-a-name',
      'test/other/package.json': 'check: configuration',
      'packages/test-utils/package.json': 'check: configuration',
      'packages/shop/package.json': 'product: product-part',
    },
    texts: {
      'test/support/package.json': '{"main": "../../src/same.js"}',
      'test/other/package.json': '{"type": "module"}',
      'packages/test-utils/package.json': '{"main": "../shop/same.js"}',
      'packages/shop/package.json': '{"main": "index.js"}',
    },
  },
  'a version of a manifest in a folder of tests': {
    given: { 'packages/test-utils/package.json': '{"main": "index.js", "version": "1.0.0"}' },
    shall: { 'packages/test-utils/package.json': 'product: product-part' },
    texts: { 'packages/test-utils/package.json': '{"main": "index.js", "version": "1.0.1"}' },
  },
  'the file under test beside its test': { given: project, shall: { 'cart.js': 'product: source' } },
  'what that file imports': { given: project, shall: { 'money.js': 'product: source' } },
  'the test': { given: project, shall: { 'cart.test.js': 'check: test' } },
  'a helper in the folder of tests': { given: project, shall: { 'test/sample.js': 'check: test-helper' } },
  'what the helper reads': { given: project, shall: { 'test/sample.json': 'check: test-data' } },
  'a helper of tests that the product imports': {
    given: { ...project, 'money.js': "import { sample } from './test/sample.js'" },
    shall: { 'test/sample.js': 'product: used-by-product' },
  },
  'a helper of tests that only the agent makes the product import': {
    given: project,
    shall: { 'test/sample.js': 'check: test-helper', 'money.js': 'product: source' },
    texts: { 'money.js': "import './test/sample.js'" },
  },
  'a new test': { given: project, shall: { 'money.test.js': 'check: test' } },
  'a new source': { given: project, shall: { 'tax.js': 'product: source' } },
  'a new helper of new tests': { given: project, shall: { 'test/other.js': 'check: test-helper' } },
  'a new file in a folder of tests that the new product imports': {
    given: project,
    shall: { 'test/rates.js': 'product: used-by-product', 'money.js': 'product: source' },
    texts: { 'money.js': "import './test/rates.js'" },
  },
  'a helper beside the tests that imports a framework': {
    given: {
      'src/cart.js': 'x',
      'src/same.js': "import { expect } from 'vitest'\nexport const same = (a, b) => expect(a).toBe(b)",
      'src/cart.test.js': "import { same } from './same.js'\nimport { cart } from './cart.js'",
    },
    shall: { 'src/same.js': 'check: test-helper', 'src/cart.js': 'product: source' },
  },
  'utilities of tests that the product imports': {
    given: {
      'src/index.ts': "export * from './test-utils.ts'",
      'src/test-utils.ts': "import { vi } from 'vitest'",
      'src/a.test.ts': "import './test-utils.ts'",
    },
    shall: { 'src/test-utils.ts': 'product: used-by-product' },
  },
  'an assertion library that is asked about itself': {
    given: { 'things.js': "import { expect } from 'chai'", 'things.test.js': "import './things.js'" },
    shall: { 'things.js': 'product: source' },
  },
  'a product that asserts what it relies on': {
    given: {
      'cart.js': "import assert from 'node:assert'\nassert.equal(1, 1)",
      'tax.js': 'x',
      'cart.test.js': "import './cart.js'\nimport './tax.js'",
    },
    shall: { 'cart.js': 'product: source' },
  },
  'a new module of which the name is taken': {
    given: { 'calc.mjs': 'x', 'calc/index.js': 'x', 'a.test.js': "require('./calc')" },
    shall: { 'calc.json': 'check: takes-a-name' },
  },
  'a move that the tests follow': {
    given: { 'calc.js': 'x', 'a.test.js': "require('./calc')" },
    shall: { 'calc/index.js': 'product: source', '-calc.js': 'product: source' },
  },
  'a move of a helper': {
    given: { 'test/calc.js': 'x', 'a.test.js': "require('./test/calc')" },
    shall: { 'test/calc/index.js': 'check: test-helper', '-test/calc.js': 'check: test-helper' },
  },
  'a module that the earlier tests wait for': {
    given: { 'a.test.js': "import { calc } from './calc.js'" },
    shall: { 'calc.js': 'product: source' },
  },
  'a data file beside the product that only a test reads': {
    given: {
      'cart.js': 'x',
      'prices.json': '[]',
      'cart.test.js': "import './cart.js'\nreadFileSync('prices.json')",
    },
    shall: { 'prices.json': 'check: test-data' },
  },
  'a data file that the product reads too': {
    given: {
      'cart.js': "readFileSync(new URL('./prices.json', import.meta.url))",
      'prices.json': '[]',
      'cart.test.js': "import './cart.js'\nreadFileSync('prices.json')",
    },
    shall: { 'prices.json': 'check: read-by-both' },
  },
  'a data file that is all that the test asks about': {
    given: { 'answer.json': '[]', 'answer.test.js': "readFileSync('answer.json')" },
    shall: { 'answer.json': 'product: source' },
  },
  'a source of values that only a test imports': {
    given: {
      'cart.js': "import { rate } from './rates.js'\nexport const f = () => 1",
      'rates.js': 'export const rate = 0.9',
      'wanted.js': 'export const wanted = 90',
      'cart.test.js': "import './cart.js'\nimport './rates.js'\nimport { wanted } from './wanted.js'",
    },
    shall: { 'wanted.js': 'check: test-data', 'rates.js': 'product: source', 'cart.js': 'product: source' },
  },
  'a new case in a folder that a test reads': {
    given: {
      'cart.js': 'x',
      'cases/a.txt': 'x',
      'cart.test.js': "import './cart.js'\nreaddirSync('cases')",
    },
    shall: { 'cases/b.txt': 'check: matched-by-check', '-cases/a.txt': 'check: matched-by-check' },
  },
  'a module by its alias': {
    given: {
      'src/lib/same.ts': "import { expect } from 'vitest'",
      'src/cart.ts': 'x',
      'src/a.test.ts': "import '@/lib/same'\nimport '@/cart'",
    },
    shall: { 'src/lib/same.ts': 'check: test-helper' },
  },
}

describe('given JavaScript', () => {
  it.each(Object.entries(cases))('%s', (_, reported) => {
    expect(sidesIn(reported)).toEqual(reported.shall)
  })
})
