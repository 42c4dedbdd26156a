import { describe, expect, it } from 'vitest'
import { edited, options, rulesOf, version } from './fixtures/changes.ts'
import { restoredText } from './index.ts'

describe('given a change that is not accepted', () => {
  it('puts the whole earlier file back, where only all of it is protected', () => {
    expect(restoredText(edited('test/a.test.ts', 'a', 'b'), options)).toBeNull()
    expect(restoredText(edited('package.json', null, '{}'), options)).toBeNull()
    expect(restoredText(edited('package.json', '{', '{}'), options)).toBeNull()
  })

  it('puts back the protected parts of a package.json, and keeps the honest ones', () => {
    const before = {
      name: 'x',
      scripts: { test: 'vitest run', dev: 'vite' },
      devDependencies: { vitest: '3' },
      jest: { bail: 1 },
    }
    const after = {
      name: 'x',
      version: '2',
      scripts: { test: 'true', dev: 'vite --host', posttest: 'node x.js' },
      devDependencies: { vitest: 'file:./fake', zod: '4' },
      mocha: { grep: 'a' },
    }
    const text = restoredText(edited('package.json', JSON.stringify(before), JSON.stringify(after)), options)
    expect(JSON.parse(text ?? '')).toEqual({
      name: 'x',
      version: '2',
      scripts: { test: 'vitest run', dev: 'vite --host' },
      devDependencies: { vitest: '3', zod: '4' },
      jest: { bail: 1 },
    })
  })

  it('leaves nothing to be found', () => {
    const before = '{"scripts": {"test": "vitest run"}}'
    const change = edited(
      'package.json',
      before,
      '{"scripts": {"test": "vitest run || true"}, "type": "module"}',
    )
    const text = restoredText(change, options)
    expect(rulesOf([change])).not.toEqual([])
    expect(rulesOf([{ ...change, after: version(text ?? '') }])).toEqual([])
  })

  it('puts back the protected sections of a pyproject.toml', () => {
    const before = '[project]\nname = "x"\n\n[tool.pytest.ini_options]\naddopts = "-ra"\n'
    const after =
      '[project]\nname = "x"\nversion = "2"\n\n[tool.pytest.ini_options]\naddopts = "-k a"\n\n[tool.coverage.run]\nomit = ["a"]\n'
    expect(restoredText(edited('pyproject.toml', before, after), options)).toBe(
      '[project]\nname = "x"\nversion = "2"\n\n[tool.pytest.ini_options]\naddopts = "-ra"\n',
    )
  })

  it('puts back only the tests of a Rust source', () => {
    const tests =
      '#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() {\n        assert_eq!(add(1), 2);\n    }\n}\n'
    const after = `fn add(a: i32) -> i32 {\n    a + 1\n}\n\n${tests.replace('2', '3')}`
    expect(
      restoredText(edited('src/lib.rs', `fn add(a: i32) -> i32 {\n    a\n}\n\n${tests}`, after), options),
    ).toBe(`fn add(a: i32) -> i32 {\n    a + 1\n}\n\n${tests}`)
  })
})
