import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { matchPrefixRules } from './match-prefix-rules.ts'
import { loadRules, readRules, type LoadedRules, type ReadRules } from './read-rules.ts'
import type { PolicyRule } from './rule.ts'

const read = (text: string, earlier: readonly PolicyRule[] = []): ReadRules =>
  readRules(text, { file: 'my.rules', layer: 'user', earlier, folder: '/project', home: '/home/me' })

function rulesOf(text: string): readonly PolicyRule[] {
  const found = read(text)
  if (found.kind === 'invalid') throw new Error(`${found.line}:${found.column ?? 0} ${found.problem}`)
  return found.rules
}

const prefixesOf = (text: string) =>
  rulesOf(text).flatMap((rule) =>
    rule.kind === 'prefix' ? [rule.pattern.map((token) => token.join('|')).join(' ')] : [],
  )

const everyday = `
# What the team agreed on.
NPM = ["npm", "run"]
WHY = "Use " + """git clean""" + ' instead.'

prefix_rule(pattern = ["git", ["status", "diff", "log"]], decision = "allow", match = ["git log -1"])
prefix_rule(
    pattern = NPM + ["test"],  # and nothing else
    match = [["npm", "run", "test", "--watch"]],
)
prefix_rule(["npm", ["publish", "unpublish"]], "forbidden", justification = "npm is not run by agents")

prefix_rule(
    pattern = ["rm", ["-rf", "-fr"]],
    decision = "forbidden",
    justification = WHY,
    match = ["rm -rf build", "rm -fr 'a b'"],
    not_match = ["rm file", ["rm", "-r"]],
)
host_executable(name = "git", paths = ["/usr/bin/git", "/opt/homebrew/bin/git", "/usr/bin/git"])
network_rule(host = "Registry.Example.COM:443", protocol = "https_connect", decision = "deny")
`

describe('given a rule file as people write them', () => {
  it('every rule is read, with its place', () => {
    const rules = rulesOf(everyday)
    expect(prefixesOf(everyday)).toEqual([
      'git status|diff|log',
      'npm run test',
      'npm publish|unpublish',
      'rm -rf|-fr',
    ])
    expect(rules[1]?.source).toEqual({ layer: 'user', file: 'my.rules', line: 7 })
    expect(rules[2]).toMatchObject({ decision: 'forbidden', justification: 'npm is not run by agents' })
    expect(rules[3]).toMatchObject({
      justification: 'Use git clean instead.',
      match: [
        ['rm', '-rf', 'build'],
        ['rm', '-fr', 'a b'],
      ],
    })
    expect(rules[4]).toMatchObject({
      kind: 'host-executable',
      paths: ['/usr/bin/git', '/opt/homebrew/bin/git'],
    })
    expect(rules).toHaveLength(5)
  })
})

describe('given what is no rule', () => {
  it.each([
    ['\nload("x", "y")\n', 2, /'load' is not understood here: Codex loads no other files, copy what/],
    ['prefix_rule(["a"], canonical_matching = True)\n', 1, /not understood here/],
    ['prefix_rule()\n', 1, /prefix_rule wants 'pattern'/],
    ['prefix_rule(["a"], pattern=["a"])\n', 1, /'pattern' is given twice/],
    ['host_executable("git", [], "x")\n', 1, /3 arguments where 2 are wanted at most/],
    ['prefix_rule(["a", None])\n', 1, /pattern\[1\] must be a text, or a list, not null/],
    ['prefix_rule(["a"], decison="allow")\n', 1, /no parameter is named 'decison'/],
    ['prefix_rule(["a"], "deny")\n', 1, /decision must be one of allow, prompt, forbidden, not "deny"/],
    ['prefix_rule("git push")\n', 1, /pattern must be a list, not "git push"/],
    ['prefix_rule(["a", []])\n', 1, /pattern\[1\]\[0\] is missing; it must be a text/],
    [
      'prefix_rule(["a"], match=[""])\n',
      1,
      /match\[0\] must be a list, or must have words, and no open quote or escape/,
    ],
    ['host_executable("git", ["git"])\n', 1, /absolute/],
  ])('%j is a problem in line %i', (text, line, problem) => {
    const found = read(text)
    expect(found).toMatchObject({ kind: 'invalid', file: 'my.rules', line })
    expect(found.kind === 'invalid' && found.problem).toMatch(problem)
  })

  it('nothing of the file counts', () => {
    expect(read('prefix_rule(["a"])\nprefix_rule(1)\n').kind).toBe('invalid')
  })
})

describe('given examples', () => {
  it.each([
    ['prefix_rule(["git"], match=["git push"])', true],
    ['prefix_rule(["git"], match=["gut"])', false],
    ['prefix_rule(["git"], not_match=["git push"])', false],
    ['prefix_rule(["git"], match=["/usr/bin/git", "./git", "~/git"])', true],
    ['prefix_rule(["git"], match=["/usr/bin/git"])\nhost_executable("git", ["/opt/git"])', false],
    ['prefix_rule(["git"], not_match=["/usr/bin/git"])\nhost_executable("git", ["/opt/git"])', true],
    ['prefix_rule(["git"], match=["./git"])\nhost_executable("git", ["/project/git"])', true],
    ['prefix_rule(["a"])\nprefix_rule(["b"], match=["a"])', false],
    ['prefix_rule([["a", "b"], "c"], match=["a c", "b c"], not_match=["a d"])', true],
  ])('%s: %s', (text, isValid) => {
    expect(read(`${text}\n`).kind).toBe(isValid ? 'rules' : 'invalid')
  })

  it('lists of paths in earlier files count', () => {
    const earlier = rulesOf('host_executable("git", ["/opt/git"])\n')
    expect(read('prefix_rule(["git"], match=["/usr/bin/git"])\n', earlier).kind).toBe('invalid')
  })
})

it('a file that is too long is refused', () => {
  expect(read(`# ${'x'.repeat(600_000)}\n`)).toMatchObject({ kind: 'invalid', line: 1 })
})

describe('given anything at all', () => {
  it('it answers', () => {
    const piece = fc.constantFrom('prefix_rule', '(', ')', '[', ']', '{', '}', '"a"', "'", '"', '=', '+', ',', ':', '\n', '  ', 'for', 'def', 'x', '1', '.', '%', '\\', '#', 'é', '\0') // prettier-ignore
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const found = read(text)
          expect(found.kind === 'rules' || (found.line >= 1 && found.problem !== '')).toBe(true)
        },
      ),
    )
  })

  it('words come back as they were written', () => {
    const written = (words: readonly string[]) => `prefix_rule(${JSON.stringify(words)}, "prompt")\n`
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'binary' }).filter((word) => word.isWellFormed()),
          { minLength: 1 },
        ),
        (words) => {
          expect(matchPrefixRules(rulesOf(written(words)), words)).toHaveLength(1)
        },
      ),
    )
  })
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'load-rules-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const put = (name: string, text: string | Uint8Array) => writeFile(join(folder, name), text)

const programs = (loaded: LoadedRules) =>
  loaded.kind === 'rules'
    ? loaded.rules.flatMap((rule) => (rule.kind === 'prefix' ? rule.pattern[0] : []))
    : loaded.problems

describe('given places with rules', () => {
  it('rule files of a folder are read by their names, in the order of the layers', async () => {
    await put('b.rules', 'prefix_rule(["b"])\n')
    await put('a.rules', 'prefix_rule(["a"])\n')
    await put('note.txt', 'no rule\n')
    await mkdir(join(folder, 'folder.rules'))
    await put('one.conf', 'prefix_rule(["one"])\n')
    const loaded = await loadRules([
      { layer: 'user', path: folder },
      { layer: 'run', path: join(folder, 'one.conf') },
    ])
    expect(programs(loaded)).toEqual(['a', 'b', 'one'])
    expect(loaded.kind === 'rules' && loaded.rules.map(({ source }) => source.layer)).toEqual([
      'user',
      'user',
      'run',
    ])
    expect(loaded.kind === 'rules' && loaded.files).toHaveLength(3)
  })

  it('what leads to a file is a file', async () => {
    await put('real', 'prefix_rule(["a"])\n')
    await symlink(join(folder, 'real'), join(folder, 'x.rules'))
    expect(programs(await loadRules([{ layer: 'user', path: folder }]))).toEqual(['a'])
  })

  it('all problems of all files are told, and no rule is given', async () => {
    await put('a.rules', 'x = 1\nprefix_rule(1)\n')
    await put('b.rules', 'prefix_rule(["b"])\n')
    await put('c.rules', new Uint8Array([0x23, 0xff]))
    await symlink(join(folder, 'nowhere'), join(folder, 'd.rules'))
    const loaded = await loadRules([
      { layer: 'user', path: folder },
      { layer: 'user', path: join(folder, 'missing') },
    ])
    expect(loaded.kind).toBe('invalid')
    const loadedCAndA = await loadRules(
      ['a.rules', 'c.rules'].map((name) => ({ layer: 'user', path: join(folder, name) })),
    )
    expect(loadedCAndA).toMatchObject({
      problems: [
        { file: join(folder, 'a.rules'), line: 2, problem: expect.stringContaining('pattern') as string },
        { file: join(folder, 'c.rules'), problem: expect.stringContaining('cannot be read') as string },
      ],
    })
  })

  it('a place that need not be there gives nothing', async () => {
    const path = join(folder, 'missing')
    expect(await loadRules([{ layer: 'user', path, isOptional: true }])).toEqual({
      kind: 'rules',
      rules: [],
      files: [],
    })
    expect((await loadRules([{ layer: 'user', path }])).kind).toBe('invalid')
  })

  it('a list of paths in one file counts for the examples of a later one', async () => {
    await put('a.rules', 'host_executable("git", ["/opt/git"])\n')
    await put('b.rules', 'prefix_rule(["git"], match=["/usr/bin/git"])\n')
    expect((await loadRules([{ layer: 'user', path: folder }])).kind).toBe('invalid')
  })

  it('what is no file is not read', async () => {
    expect(await loadRules([{ layer: 'run', path: '/dev/null' }])).toMatchObject({
      kind: 'invalid',
      problems: [{ problem: 'cannot be read: it is no regular file' }],
    })
  })
})
