import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { independentText } from '../index.ts'

/** By their stories. `as before`, `as after`: that text. */
type Cases = Readonly<
  Record<string, readonly [before: string, after: string, independent: string | undefined]>
>

function itPutsTogether(path: string, cases: Cases): void {
  it.each(Object.entries(cases))('%s', (_, [before, after, independent]) => {
    const texts: Readonly<Record<string, string>> = { 'as before': before, 'as after': after }
    expect(independentText(path, before, after)).toBe(independent && (texts[independent] ?? independent))
  })
}

const inLayout = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

describe('given package.json', () => {
  itPutsTogether('a/package.json', {
    'a new dependency': ['{"dependencies": {}}', '{ "dependencies": {"a": "^1.0.0"} }', 'as after'],
    'a script beside a version': [
      '{"version": "1.0.0", "scripts": {"test": "node --test"}}',
      '{\n  "version": "1.1.0",\n  "scripts": {\n    "test": "true"\n  }\n}\n',
      inLayout({ version: '1.1.0', scripts: { test: 'node --test' } }),
    ],
    'a runner that is configured no more': [
      '{"jest": {"x": 1}}',
      '{"main": "b.js"}',
      inLayout({ main: 'b.js', jest: { x: 1 } }),
    ],
    'a library that is installed from a folder': [
      '{"devDependencies": {"chai": "^5.0.0"}}',
      '{"devDependencies": {"chai": "file:./fake", "left-pad": "1.0.0"}}',
      inLayout({ devDependencies: { chai: '^5.0.0', 'left-pad': '1.0.0' } }),
    ],
    'a name that is the name of a library': ['{"name": "a"}', '{"name": "chai"}', 'as before'],
    'another layout': ['{"scripts":{"test":"x"}}', '{ "scripts": { "test": "x" } }', 'as after'],
    'a key that is there twice': [
      '{"scripts": {}}',
      '{"scripts": {}, "scripts": {"test": "true"}}',
      'as before',
    ],
    'what is no JSON': ['{}', '{', undefined],
  })
})

describe('given pyproject.toml', () => {
  itPutsTogether('pyproject.toml', {
    'a dependency beside options of pytest': [
      '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = ""\n',
      '[project]\nname = "a"\ndependencies = [\n  ["x"],\n]\n[tool.pytest.ini_options]\naddopts = "-k none"\n',
      '[project]\nname = "a"\ndependencies = [\n  ["x"],\n]\n[tool.pytest.ini_options]\naddopts = ""\n',
    ],
    'a plug-in of pytest': [
      '[project]\nname = "a"\n',
      '[project]\nname = "a"\n[project.entry-points.pytest11]\nx = "y"\n',
      'as before',
    ],
    'a plug-in within a section': [
      '[project]\nname = "a"\n',
      '[project]\nname = "a"\nentry-points.pytest11.x = "y"\n',
      'as before',
    ],
    'settings that are gone': [
      '[tool.pytest]\nx = 1\n',
      '[project]\nname = "a"\n',
      '[project]\nname = "a"\n[tool.pytest]\nx = 1\n',
    ],
    'a header within a string': [
      '[project]\na = """\n[tool.x]\n"""\n',
      '[project]\na = """\n[tool.y]\n"""\n',
      'as after',
    ],
    'a header behind a text with an escaped quote': [
      '[project]\na = "x"\n[tool.pytest]\nb = 1\n',
      '[project]\na = """\n\\"""\n"""\n[tool.pytest]\nb = 2\n',
      '[project]\na = """\n\\"""\n"""\n[tool.pytest]\nb = 1\n',
    ],
    'a header behind a text that ends with a quote': [
      '[project]\n[tool.pytest]\nb = 1\n',
      '[project]\na = """x""""\n[tool.pytest]\nb = 2\n',
      '[project]\na = """x""""\n[tool.pytest]\nb = 1\n',
    ],
    'a header behind a literal text that ends with a backslash': [
      '[project]\n[tool.pytest]\nb = 1\n',
      "[project]\na = '''x\\'''\n[tool.pytest]\nb = 2\n",
      "[project]\na = '''x\\'''\n[tool.pytest]\nb = 1\n",
    ],
    'a quoted section of plug-ins': [
      '[project]\n',
      '[project]\n[project."entry-\\u0070oints".x]\na = "b"\n',
      'as before',
    ],
    'settings before all sections': ['', 'tool.pytest.ini_options.addopts = "x"\n', 'as before'],
  })
})

describe('given Cargo.toml, setup.cfg, go.mod and requirements.txt', () => {
  itPutsTogether('Cargo.toml', {
    'a dependency': ['[dependencies]\n', '[dependencies]\na = "1"\n', 'as after'],
    'a test without a harness': [
      '[package]\n',
      '[package]\n[[test]]\nname = "a"\nharness = false\n',
      'as before',
    ],
    'a library that is not tested': ['[lib]\nname = "a"\n', '[lib]\nname = "a"\ntest = false\n', 'as before'],
    'a quoted key that decides': ['[package]\n', '[package]\n"autotests" = false\n', 'as before'],
    'a quoted key of a folder': [
      '[dependencies]\na = "1"\n',
      '[dependencies]\na = { "path"            = "x" }\n',
      'as before',
    ],
    'profiles and patches': [
      '',
      '[profile.test]\nx = 1\n[patch.crates-io]\na = { path = "b" }\n',
      'as before',
    ],
  })
  itPutsTogether('setup.cfg', {
    'settings of pytest': [
      '[metadata]\nname = a\n[tool:pytest]\nx = 1\n',
      '[metadata]\nname = b\n[tool:pytest]\nx = 2\n',
      '[metadata]\nname = b\n[tool:pytest]\nx = 1\n',
    ],
  })
  itPutsTogether('go.mod', {
    'a module in the place of another': [
      'module a\n',
      'module a\n\nrequire b v1.0.0\nreplace b => ./c\n',
      'module a\n\nrequire b v1.0.0\n',
    ],
    'a block of these': ['module a\n', 'module a\nreplace (\n\tb => ./c\n)\n', 'as before'],
  })
  itPutsTogether('requirements-dev.txt', {
    'a folder beside a version': ['a==1\n', 'a==2\n-e ./pytest\npytest @ file:///x\n', 'a==2\n'],
  })
})

const tests = '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert_eq!(add(1, 1), 2); }\n}\n'

describe('given Rust', () => {
  itPutsTogether('src/lib.rs', {
    'a source without its tests': [`fn add() { 1 }\n${tests}`, `fn add() { 2 }\n${tests}`, 'as after'],
    'tests without their source': [
      `fn a() {}\n${tests}`,
      'fn a() {}\n#[cfg(test)]\nmod tests {}\n',
      'as before',
    ],
    'tests that are gone': [`fn a() {}\n${tests}`, 'fn b() {}\n', `fn b() {}\n\n${tests}`],
    'a stand-in for tests': [
      'fn a() -> u8 { 1 }\n',
      '#[cfg(test)]\nfn a() -> u8 { 2 }\n#[cfg(not(test))]\nfn a() -> u8 { 1 }\n',
      '#[cfg(not(test))]\nfn a() -> u8 { 1 }\n',
    ],
    'a single test': [
      '#[test]\nfn a() { x }\nfn b() {}\n',
      '#[test]\nfn a() { y }\nfn b() { z }\n',
      '#[test]\nfn a() { x }\nfn b() { z }\n',
    ],
    'braces in strings, characters, lifetimes and comments': [
      `#[cfg(test)]\nmod tests { const A: &str = r#"}"}"#; const B: char = '}'; fn f<'a>(x: &'a str) {} /* } /* } */ } */ }\nfn b() {}\n`,
      `#[cfg(test)]\nmod tests { const A: &str = r##"}"#}"##; const B: char = '{'; }\nfn c() {}\n`,
      `#[cfg(test)]\nmod tests { const A: &str = r#"}"}"#; const B: char = '}'; fn f<'a>(x: &'a str) {} /* } /* } */ } */ }\nfn c() {}\n`,
    ],
    'an import for tests': [
      '#[cfg(test)]\nuse a::{b, c};\nfn d() {}\n',
      '#[cfg(test)]\nuse a::{b};\nfn d() {}\n',
      'as before',
    ],
    'tests that are gone from inside of a module': [
      `mod m {\n${tests.replaceAll(/^/gmu, '    ')}}\n`,
      'mod m {}\n',
      undefined,
    ],
  })
})

describe('given anything', () => {
  const path = fc.constantFrom(
    ...'package.json pyproject.toml setup.cfg Cargo.toml go.mod requirements.txt a.rs'.split(' '),
  )
  const part = fc.oneof(
    fc.constantFrom(
      ...'} { , """ [ ]'.split(' '),
      '[a]\n',
      '[tool.x]\n',
      '#[cfg(test)]\n',
      'mod a {',
      '"a": ',
      'replace a => b\n',
      "'",
      'x = 1\n',
      '-e .\n',
    ),
    fc.string({ maxLength: 4 }),
  )
  const text = fc.oneof(
    fc.array(part, { maxLength: 20 }).map((parts) => parts.join('')),
    fc
      .dictionary(fc.constantFrom('scripts', 'main', 'jest', 'dependencies'), fc.jsonValue())
      .map((value) => JSON.stringify(value)),
  )

  it('an unchanged file stays as it is, and what was put together is not put together again', () => {
    fc.assert(
      fc.property(path, text, text, (name, before, after) => {
        expect(independentText(name, before, before)).toBe(before)
        const once = independentText(name, before, after)
        if (once !== undefined) expect(independentText(name, before, once)).toBe(once)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    '{"a":',
    '[',
    '#[',
    '#[cfg(test)]',
    '/*',
    '"',
    "'",
    'r#"',
    '\\',
    '{',
    '(\n',
    '"""',
    'replace (\n',
    ' ',
  ])('a long text of %j is read to its end', (unit) => {
    const long = unit.repeat(100_000 / unit.length)
    const names = 'package.json pyproject.toml setup.cfg Cargo.toml go.mod requirements.txt a.rs'.split(' ')
    for (const name of names) expect(() => independentText(name, `${long}a`, long)).not.toThrow()
  })
})
