import { describe, expect, it } from 'vitest'
import { sidesIn, type Told } from '../fixtures/trees.ts'

const project = {
  'go.mod': 'module example.com/calc\n',
  'calc.go': 'package calc',
  'calc_test.go': 'package calc\nimport (\n"testing"\n"example.com/calc/internal/testutil"\n)',
  'internal/testutil/same.go': 'package testutil\nimport "testing"',
  'testdata/a.json': '{}',
}

const other = {
  'Cargo.toml': '[package]\nname = "calc"\n',
  'src/lib.rs': 'mod add;\n#[cfg(test)]\nmod tests;\n',
  'src/add.rs': 'pub fn add() {}',
  'src/tests.rs': 'use crate::add;\nmod helpers;',
  'src/tests/helpers.rs': 'fn same() {}',
  'tests/it.rs': 'use calc::add;\nmod common;',
  'tests/common/mod.rs': 'x',
}

const cases: Readonly<Record<string, Told>> = {
  'the package under test': {
    given: project,
    shall: { 'calc.go': 'product: source', 'other.go': 'product: source' },
  },
  tests: { given: project, shall: { 'calc_test.go': 'check: test', 'new_test.go': 'check: test' } },
  'helpers of tests': { given: project, shall: { 'internal/testutil/same.go': 'check: test-helper' } },
  'data of tests': { given: project, shall: { 'testdata/a.json': 'check: test-data' } },
  ...Object.fromEntries(
    [
      ['a new module of the same tree', 'example.com/money => ./money', 'product: product-part'],
      ['one that tests import', 'example.com/check => ./check', 'both: both-parts'],
      ['one below a module that tests import', 'example.com/check/deep => ./deep', 'both: both-parts'],
      ['one below the own module', 'example.com/till/deep => ./deep', 'both: both-parts'],
      ['one outside of the tree', 'example.com/money => ./../money', 'both: both-parts'],
      ['one of the language', 'testing => ./testing', 'both: both-parts'],
    ].map(([story, replaced, side = '']): [string, Told] => {
      const before = 'module example.com/till\n\ngo 1.18\n\nrequire example.com/check v0.0.0\n'
      const after = `${before}require example.com/money v0.0.0\n\nreplace ${replaced}\n`
      const given = { 'go.mod': before, 'till.go': 'package till' }
      return [`replaced: ${story}`, { given, shall: { 'go.mod': side }, texts: { 'go.mod': after } }]
    }),
  ),
  'modules of the product': { given: other, shall: { 'src/add.rs': 'product: source' } },
  'modules of tests': {
    given: other,
    shall: {
      'src/tests.rs': 'check: test-helper',
      'src/tests/helpers.rs': 'check: test',
      'tests/common/mod.rs': 'check: test',
    },
  },
  'a package that is new, with what it depends on': {
    given: other,
    shall: { 'tax/Cargo.toml': 'product: product-part', 'tax/src/lib.rs': 'product: source' },
    texts: { 'tax/Cargo.toml': '[package]\nname = "tax"\n[dependencies]\ncalc = { path = ".." }\n' },
  },
  'a runner': { given: other, shall: { '.cargo/config.toml': 'check: loaded-unasked' } },
}

describe('given Go and Rust', () => {
  it.each(Object.entries(cases))('%s', (_, reported) => {
    expect(sidesIn(reported)).toEqual(reported.shall)
  })
})
