import { describe, expect, it } from 'vitest'
import { cheatingSources } from './cheating-sources.ts'
import { edited } from '../fixtures/changes.ts'
import { rulesOf } from '../fixtures/cheats.ts'

const library = 'source.test-library'
const patches = 'source.patches-runner'
const blind = 'source.equality-blind'
const aware = 'source.test-aware'

describe('given a product file in JavaScript or TypeScript', () => {
  it.each([
    [library, `import { expect } from 'vitest'`],
    [library, `const chai = require('chai')`],
    [library, `export const load = () => import('node:test')`],
    [library, `import sinon from 'sinon'`],
    [patches, `import assert from 'node:assert'; assert.equal = () => {}`],
    [patches, `const assert = require('node:assert'); Object.assign(assert, { equal() {} })`],
    [patches, `import * as a from 'node:assert'; Reflect.set(a.default, 'equal', () => {})`],
    [patches, `globalThis.expect = () => new Answer()`],
    [patches, `Object.defineProperty(globalThis, 'expect', { value: f })`],
    [patches, `require.cache[require.resolve('./x')] = { exports: {} }`],
    [patches, `const Module = require('module'); Module._load = () => ({})`],
    [patches, `import { register } from 'node:module'; register('./hook.js')`],
    [patches, `import module from 'node:module'; module.registerHooks({})`],
    [patches, `process.on('exit', () => { process.exitCode = 0 })`],
    [patches, `process.exit = () => {}`],
    [patches, `process.reallyExit(0)`],
    [patches, `Object.is = () => true`],
    [blind, `class A { equals(other) { return true } }`],
    [blind, `A.prototype.isEqual = function () { return true }`],
    [blind, `const a = { asymmetricMatch: (x) => x.ok }`],
    [blind, `class A { [Symbol.toPrimitive]() { return 9 } }`],
    [blind, `class A { toJSON() { return 'right' } }`],
    [blind, `class A { static [Symbol.hasInstance]() { return true } }`],
    [blind, `const a = new Proxy({}, { get: () => 9 })`],
    [aware, `if (process.env.VITEST) sum = 3`],
    [aware, `const { JEST_WORKER_ID } = process.env`],
    [aware, `const on = process.env['NODE_TEST' + '_CONTEXT']`],
    [aware, `const tested = typeof describe === 'function'`],
    [aware, `if (globalThis.expect) sum = 3`],
    [aware, `const tested = () => new Error().stack.includes('.test.')`],
    [aware, `const tested = process.argv.some((one) => /vitest|mocha/.test(one))`],
    [aware, `const tested = require.main.filename.endsWith('_test.js')`],
    [aware, `const tested = process.env.npm_lifecycle_event === 'test'`],
  ])('tells of %s: %s', (rule, text) => {
    expect(rulesOf('src/a.ts', null, text)).toContain(rule)
    expect(rulesOf('src/a.ts', 'export const b = 1\n', `export const b = 1\n${text}\n`)).toContain(rule)
    expect(rulesOf('src/a.ts', text, `${text}\nexport const b = 1\n`)).toEqual([])
  })

  it.each([
    `import assert from 'node:assert'\nassert(config, 'no config')`,
    `import type { Mock } from 'vitest'`,
    `// import 'vitest'; process.env.VITEST`,
    `export const it = (x) => x; export const test = /a/.test('a')`,
    `class Point { equals(other) { return this.x === other.x } toJSON() { return { x: this.x } } }`,
    `class Money { [Symbol.toPrimitive](hint) { return this.cents } }`,
    `const lazy = new Proxy({}, { get: (target, key) => load(key) })`,
    `process.on('exit', () => { server.close() })`,
    `if (args.help) { usage(); process.exit(0) }`,
    `export function main() { process.exit(0) }`,
    `const [, , command] = process.argv; if (command === 'build') build()`,
    `delete require.cache[path]`,
    `if (process.env.NODE_ENV !== 'test') listen()`,
    `const message = 'run the test suite with vitest'; log(process.argv, message)`,
  ])('tells of nothing in honest code: %s', (text) => {
    expect(rulesOf('src/a.ts', null, text)).toEqual([])
  })

  it('tells of a module that only ends the process now, and not of a program that always did', () => {
    expect(rulesOf('src/a.js', 'exports.sum = (a, b) => a - b\n', 'process.exit(0)\n')).toEqual([patches])
    expect(rulesOf('bin/a.js', 'main()\n', 'main()\nprocess.exit(0)\n')).toEqual([])
  })

  it('notes an assertion library that is only used', () => {
    expect(cheatingSources([edited('src/a.js', null, `require('node:assert')`)])).toEqual([
      {
        rule: library,
        path: 'src/a.js',
        line: 1,
        message: '`node:assert` is a library for tests, loaded by the product',
        atMost: 'note',
      },
    ])
  })
})

describe('given a product file in Python', () => {
  it.each([
    [library, 'import pytest'],
    [library, 'import os, unittest'],
    [library, 'def f():\n    from unittest.mock import Mock'],
    [patches, 'import sys\nsys.modules["calc"] = Fake()'],
    [patches, 'import builtins\nbuiltins.sum = lambda xs: 3'],
    [patches, 'unittest.TestCase.assertEqual = lambda *a: None'],
    [patches, 'setattr(unittest.TestCase, "assertEqual", f)'],
    [patches, 'sys.meta_path.insert(0, Finder())'],
    [patches, 'import atexit, os\natexit.register(lambda: os._exit(0))'],
    [patches, 'sys.exit(0)'],
    [patches, 'if True:\n    raise SystemExit'],
    [blind, 'class A:\n    def __eq__(self, other):\n        return True'],
    [blind, 'class A:\n    def __eq__(self, other):\n        """Equal."""\n        return True'],
    [blind, 'A.__eq__ = lambda self, other: True'],
    [blind, 'class M(type):\n    def __instancecheck__(cls, one):\n        return True'],
    [aware, 'if os.environ.get("PYTEST_CURRENT_TEST"):\n    x = 3'],
    [aware, 'tested = "pytest" in sys.modules'],
    [aware, 'def tested():\n    return any("test_" in f.filename for f in inspect.stack())'],
    [aware, 'def f():\n    return sys._getframe(1).f_locals["expected"]'],
    [aware, 'tested = "pytest" in sys.argv[0]'],
  ])('tells of %s: %s', (rule, text) => {
    expect(rulesOf('shop/a.py', null, `${text}\n`)).toContain(rule)
    expect(rulesOf('shop/a.py', `${text}\n`, `${text}\nx = 1\n`)).toEqual([])
  })

  it.each([
    'from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pytest',
    'sys.modules[__name__] = Lazy()',
    'class A:\n    def __eq__(self, other):\n        return self.x == other.x',
    'if __name__ == "__main__":\n    sys.exit(0)',
    'def main():\n    sys.exit(0)',
    'import atexit\natexit.register(close)',
    'pid = os.fork()\nif pid == 0:\n    os._exit(0)',
    'def caller():\n    return inspect.stack()[1].function',
    '# import pytest',
    'x = "import pytest"',
  ])('tells of nothing in honest code: %s', (text) => {
    expect(rulesOf('shop/a.py', null, `${text}\n`)).toEqual([])
  })

  it('tells of a new module in the place of one that the runner loads', () => {
    expect(rulesOf('unittest/__main__.py', null, 'print("OK")\n')).toEqual([patches])
    expect(rulesOf('sitecustomize.py', null, 'x = 1\n')).toEqual([patches])
    expect(rulesOf('shop/types.py', null, 'Cents = int\n')).toEqual([])
    expect(rulesOf('types.py', 'Cents = int\n', 'Cents = float\n')).toEqual([])
  })
})

describe('given a product file in another language', () => {
  it.each([
    ['a.go', library, 'package a\n\nimport "github.com/stretchr/testify/assert"\n'],
    ['a.go', blind, 'package a\n\nfunc (m Money) Equal(o Money) bool { return true }\n'],
    ['a.go', aware, 'package a\n\nvar tested = flag.Lookup("test.v") != nil\n'],
    ['a.go', aware, 'package a\n\nvar tested = strings.HasSuffix(os.Args[0], ".test")\n'],
    ['a.go', aware, 'package a\n\nfunc f(s string) bool { return strings.Contains(s, "_test.go") }\n'],
    ['a.go', patches, 'package a\n\nfunc init() { os.Exit(0) }\n'],
    ['src/lib.rs', blind, 'impl PartialEq for A {\n    fn eq(&self, _: &Self) -> bool { true }\n}\n'],
    ['src/lib.rs', aware, 'pub fn f() -> i32 { if cfg!(test) { 3 } else { 4 } }\n'],
    ['src/lib.rs', aware, '#[cfg(not(test))]\npub fn f() -> i32 { 4 }\n'],
    ['src/A.java', blind, 'class A { public boolean equals(Object o) { return true; } }\n'],
    ['src/A.cs', blind, 'class A { public bool Equals(A o) { return true; } }\n'],
  ])('tells of %s, %s: %s', (path, rule, text) => {
    expect(rulesOf(path, null, text)).toEqual([rule])
    expect(rulesOf(path, text, `${text}\n// more\n`)).toEqual([])
  })

  it.each([
    ['a.go', 'package a\n\n// import "testing"\nfunc (m Money) Equal(o Money) bool { return m.c == o.c }\n'],
    ['a.go', 'package a\n\nfunc main() { os.Exit(0) }\n'],
    ['src/lib.rs', '#[cfg(test)]\nmod tests {}\n#![cfg_attr(not(test), no_std)]\n'],
    ['src/main.rs', '#[cfg(not(test))]\nfn main() {}\n'],
    ['src/lib.rs', 'const A: &str = r#"cfg!(test) " #[cfg(not(test))] fn f"#;\n'],
    ['src/A.java', 'class A { boolean isEmpty() { return true; } }\n'],
  ])('tells of nothing in honest code: %s: %s', (path, text) => {
    expect(rulesOf(path, null, text)).toEqual([])
  })
})

describe('given a project whose trade are tests', () => {
  it('is not told of its own trade in files that were there', () => {
    expect(rulesOf('lib/mocha.js', 'x()\n', `globalThis.it = () => {}\n`)).toEqual([])
    expect(rulesOf('src/_pytest/python.py', 'x = 1\n', 'import pytest\n')).toEqual([])
    expect(
      rulesOf('assert/assertions.go', 'package assert\n', 'package assert\n\nimport "testing"\n'),
    ).toEqual([])
  })

  it('is known by what its sources did before', () => {
    const own = ['it', 'test', 'expect'].map((name) => `globalThis.${name} = run`).join('\n')
    expect(rulesOf('src/index.js', own, `${own}\nglobalThis.describe = run`)).toEqual([])
  })

  it('is not made of one by a new file of such a name, or by one such line', () => {
    expect(rulesOf('src/mocha/x.js', null, 'globalThis.it = () => {}\n')).toEqual([patches])
    const one = 'globalThis.it = run\n'
    expect(rulesOf('src/index.js', one, `${one}globalThis.expect = run\n`)).toEqual([patches])
  })
})

describe('given sources of any size', () => {
  it('says where one is too long to be read', () => {
    const [found] = cheatingSources([edited('a.csv', null, ' '.repeat(2 ** 19 + 1))])
    expect(found).toMatchObject({ path: 'a.csv', message: 'it is too long to be read', atMost: 'note' })
  })

  it('reads long lines, deep brackets and open strings to their end', () => {
    const texts = ['(', '[{', '"', "'", '`', 'a.', '"a" + ', '() => ', '/*', 'if (x) ', '\\', 'r#"'].map(
      (piece) => piece.repeat(Math.floor(2 ** 14 / piece.length)),
    )
    for (const path of ['a.ts', 'a.py', 'a.go', 'a.rs'])
      for (const text of texts) expect(rulesOf(path, null, text)).toEqual([])
  })
})
