import { describe, expect, it } from 'vitest'
import { sidesIn, type Told } from '../fixtures/trees.ts'

const project = {
  'calc.py': 'def add(a, b): return a - b',
  'tests/test_calc.py': 'import pytest\nfrom calc import add\nfrom tests.helpers import same',
  'tests/__init__.py': '',
  'tests/helpers.py': 'def same(a, b): assert a == b',
}

const cases: Readonly<Record<string, Told>> = {
  'the module under test': { given: project, shall: { 'calc.py': 'product: source' } },
  'a helper': { given: project, shall: { 'tests/helpers.py': 'check: test-helper' } },
  'what pytest loads': {
    given: project,
    shall: { 'conftest.py': 'check: loaded-unasked', 'a.pth': 'check: loaded-unasked' },
  },
  'a stand-in for pytest': { given: project, shall: { 'pytest.py': 'check: takes-a-name' } },
  'a stand-in for the module': { given: project, shall: { 'calc/__init__.py': 'check: takes-a-name' } },
  'a new module of a package that is declared by its own name': {
    given: {
      'setup.py': "setup(name='calc')",
      'calc/__init__.py': 'def add(a, b): return a - b',
      'test.py': 'import unittest\nfrom calc import add',
    },
    shall: { 'calc/add.py': 'product: source' },
  },
  'a compiled stand-in': { given: project, shall: { 'calc.so': 'check: takes-a-name' } },
  'an honest move': {
    given: project,
    shall: { 'calc/__init__.py': 'product: source', '-calc.py': 'product: source' },
  },
  'a module of tests that is called as one of the product': {
    given: {
      ...project,
      'tests/test_x.py': 'from utils import x',
      'tests/utils.py': 'x',
    },
    shall: { 'src/utils.py': 'product: source' },
  },
  'a module that is waited for': {
    given: { 'tests/test_a.py': 'import later' },
    shall: { 'later.py': 'product: source' },
  },
  metadata: {
    given: project,
    shall: {
      'x.egg-info/entry_points.txt': 'check: loaded-unasked',
      'sitecustomize.py': 'check: loaded-unasked',
    },
  },
  'testing tools of a package that the package imports': {
    given: { 'lib/__init__.py': 'from .testing import check', 'lib/testing/__init__.py': 'import pytest' },
    shall: { 'lib/testing/__init__.py': 'product: used-by-product' },
  },
}

describe('given Python', () => {
  it.each(Object.entries(cases))('%s', (_, reported) => {
    expect(sidesIn(reported)).toEqual(reported.shall)
  })
})
