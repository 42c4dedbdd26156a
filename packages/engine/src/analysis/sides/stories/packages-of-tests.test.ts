import { describe, expect, it } from 'vitest'
import { sidesIn, type Files } from '../fixtures/trees.ts'

const given: Files = {
  'package.json': '{"name": "shop", "devDependencies": {"same": "file:libs/same"}}',
  'src/cart.js': 'export const total = 1',
  'test/cart.test.js': "import { same } from 'same'\nimport '../src/cart.js'",
  'libs/same/package.json': '{"name": "same", "main": "index.js"}',
  'libs/same/index.js': "export * from './core.js'",
  'libs/same/core.js': 'export const same = 1',
}
const ofTests = 'check: test-helper'
const shall = {
  'libs/same/index.js': ofTests,
  'libs/same/core.js': ofTests,
  'libs/same/package.json': ofTests,
  'libs/same/new.js': ofTests,
  'src/cart.js': 'product: source',
}

describe('given a package of the tree that only tests import', () => {
  it('asks with them, whatever its name', () => {
    expect(sidesIn({ given, shall })).toEqual(shall)
  })

  it('takes along a package that only it imports', () => {
    const more = {
      ...given,
      'libs/same/core.js': "export * from 'deep'",
      'libs/deep/package.json': '{"name": "deep", "main": "index.js"}',
      'libs/deep/index.js': 'x',
    }
    const sides = { 'libs/deep/index.js': ofTests, 'libs/same/core.js': ofTests }
    expect(sidesIn({ given: more, shall: sides })).toEqual(sides)
  })

  it('knows it at another place, by its name', () => {
    const moved = {
      '-libs/same/index.js': ofTests,
      'vendor2/same/index.js': ofTests,
      'vendor2/same/package.json': ofTests,
    }
    const texts = { 'vendor2/same/package.json': '{"name": "same", "main": "index.js"}' }
    expect(sidesIn({ given, shall: moved, texts })).toEqual(moved)
  })
})

describe('given a package of the tree that is a part of the product', () => {
  it.each<readonly [string, Files]>([
    ['the product imports it too', { 'src/cart.js': "import 'same'" }],
    ['it has tests of its own', { 'libs/same/core.test.js': "import './core.js'" }],
    ['the product declares it', { 'package.json': '{"name": "shop", "dependencies": {"same": "*"}}' }],
    ['it imports the product', { 'libs/same/core.js': "import '../../src/cart.js'" }],
    ['tests ask about nothing else', { 'test/cart.test.js': "import { same } from 'same'" }],
    [
      'it is one of several that tests ask about',
      {
        'test/cart.test.js': "import 'same'\nimport 'other'",
        'libs/other/package.json': '{"name": "other", "main": "index.js"}',
        'libs/other/index.js': 'x',
      },
    ],
  ])('is what the checks ask about: %s', (_, more) => {
    const sides = { 'libs/same/index.js': 'product: source' }
    expect(sidesIn({ given: { ...given, ...more }, shall: sides })).toEqual(sides)
  })
})
