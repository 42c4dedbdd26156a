import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchPrefixRules } from './match/match-prefix-rules.ts'
import { readRules, type ReadRules } from './read-rules.ts'
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
SAFE = ["status", "diff", "log"]

for sub in SAFE:
    prefix_rule(pattern = ["git", sub], decision = "allow", match = ["git %s" % sub])

def package_manager(name, scripts = ["test", "build"]):
    """Scripts of a package manager."""
    for script in scripts:
        prefix_rule(
            pattern = [name, "run", script],
            match = [[name, "run", script, "--watch"]],
        )
    prefix_rule(pattern = [name, ["publish", "unpublish"]], decision = "forbidden", justification = f"{name} is not run by agents")

package_manager("npm")
package_manager("pnpm", scripts = ["lint"])

prefix_rule(
    pattern = ["rm", ["-rf", "-fr"]],
    decision = "forbidden",
    justification = "Use " + "git clean".upper() + " instead.",
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
      'git status',
      'git diff',
      'git log',
      'npm run test',
      'npm run build',
      'npm publish|unpublish',
      'pnpm run lint',
      'pnpm publish|unpublish',
      'rm -rf|-fr',
    ])
    expect(rules[0]?.source).toEqual({ layer: 'user', file: 'my.rules', line: 6 })
    expect(rules[5]).toMatchObject({ decision: 'forbidden', justification: 'npm is not run by agents' })
    expect(rules[8]).toMatchObject({
      justification: 'Use GIT CLEAN instead.',
      match: [
        ['rm', '-rf', 'build'],
        ['rm', '-fr', 'a b'],
      ],
    })
    expect(rules[9]).toMatchObject({
      kind: 'host-executable',
      paths: ['/usr/bin/git', '/opt/homebrew/bin/git'],
    })
    expect(rules[10]).toMatchObject({
      kind: 'network',
      host: 'registry.example.com',
      protocol: 'https',
      decision: 'forbidden',
    })
  })
})

describe('given the parts of the language', () => {
  it.each([
    ['[w for w in ["a", "b"] if w != "a"]', 'b'],
    ['[a + b for a in ["x"] for b in ["y", "z"]]', 'xy xz'],
    ['[k + v for k, v in {"a": "1"}.items()]', 'a1'],
    ['"a,b".split(",") + list(("c",))', 'a b c'],
    ['["a"] * 2 + [str(1), "%d" % 2, "{}{x}".format(3, x = 4)]', 'a a 1 2 34'],
    ['["a" if 1 in [1] and not [] else "b", {"k": "v"}.get("k"), {"k": "v"}["k"]]', 'a v v'],
    ['[str(i) + w for i, w in enumerate(["a", "b"], 1)]', '1a 2b'],
    ['[a + b for a, b in zip(["a"], ["b"])]', 'ab'],
    ['sorted(["b", "a"], reverse = False)', 'a b'],
    ['[f("a"), (lambda x, y = "z": x + y)("b")]', '<a> bz'],
    ['[r"\\n", "\\x41", """t""", \'q\'[0], "abc"[-1], "abc"[1:]]', '\\n A t q c bc'],
    ['reversed([str(n) for n in range(1, 6, 2)])', '5 3 1'],
  ])('%s', (expression, words) => {
    expect(prefixesOf(`def f(x):\n  return f"<{x}>"\nprefix_rule(${expression})\n`)).toEqual([words])
  })

  it('names are unpacked, changed and set by conditions', () => {
    const text = `
a, (b, c) = "x", ["y", "z"]; d = {}
d["k"] = [a]
d["k"] += [b]
if len(d) == 2: pass
elif a == "x":
    d["k"].append(c)
else:
    d["k"].extend(["never"])
for w in ["1", "2", "3"]:
    if w == "2": continue
    if w == "3":
        break
    d["k"] += [w]
prefix_rule(d["k"])
`
    expect(prefixesOf(text)).toEqual(['x y z 1'])
  })
})

describe('given what is not understood', () => {
  it.each([
    ['while True:\n  pass\n', 1, /'while' is reserved/],
    ['\nload("x", "y")\n', 2, /'load' is not understood/],
    ['import os\n', 1, /'import'/],
    ['print(1)\n', 1, /'print' is not known/],
    ['def f(): return f()\nf()\n', 1, /recursion is not understood/],
    ['def a(): return b()\ndef b(): return a()\na()\n', 2, /'a' calls itself/],
    ['x = 1.5\n', 1, /point/],
    ['x = 2 / 1\n', 1, /operator '\/'/],
    ['prefix_rule(["a"], decison="allow")\n', 1, /no parameter is named 'decison'/],
    ['prefix_rule(["a"], "deny")\n', 1, /decision must be one of allow, prompt, forbidden, not "deny"/],
    ['prefix_rule([])\n', 1, /pattern must not be empty/],
    ['prefix_rule("git push")\n', 1, /pattern must be a list, not a string/],
    ['prefix_rule(["a", []])\n', 1, /alternatives/],
    ['prefix_rule(["a"], justification=" ")\n', 1, /justification must not be blank/],
    ['prefix_rule(["a"], match=[""])\n', 1, /example "" in match has no words/],
    ['prefix_rule(["a"], match=["a \'"])\n', 1, /open quote/],
    ['network_rule("*.x", "http", "allow")\n', 1, /one host without wildcards/],
    ['network_rule("http://x", "http", "allow")\n', 1, /without scheme/],
    ['host_executable("git", ["git"])\n', 1, /absolute/],
    ['host_executable("git", ["/bin/gut"])\n', 1, /must end in the name "git"/],
    ['x = unknown\n', 1, /'unknown' is not known/],
    ['if 0:\n  x = unknown\n', 2, /'unknown' is not known/],
    ['x = (1\n', 2, /the end of the/],
    ['x = "a\n', 1, /not closed/],
    ['\tx = 1\n', 1, /tabs are not allowed/],
    ['if 1:\nx = 1\n', 2, /an indented line is expected/],
    ['x = 1\n  y = 2\n', 2, /an indented line where/],
    ['if 1:\n    x = 1\n  y = 2\n', 3, /indentation fits no line above/],
    ['prefix_rule,(["rm"], "forbidden")\n', 1, /a tuple without parentheses is no statement/],
    ['prefix_rule(["a"]); 1, 2\n', 1, /a tuple without parentheses/],
    ['def f():\n  1, 2\n', 2, /a tuple without parentheses/],
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

  it('what must not match is told first, with its line', () => {
    expect(read('x = 1\nprefix_rule(["a"], match=["b"], not_match=["a"])\n')).toMatchObject({
      line: 2,
      problem: 'the example ["a"] must not match, and does',
    })
  })

  it('lists of paths in earlier files count', () => {
    const earlier = rulesOf('host_executable("git", ["/opt/git"])\n')
    expect(read('prefix_rule(["git"], match=["/usr/bin/git"])\n', earlier).kind).toBe('invalid')
  })
})

describe('given a file that would never end, or grow without end', () => {
  it.each([
    'for i in range(1000000000): pass\n',
    '[1 for a in range(10000) for b in range(10000)]\n',
    'x = "a" * 1000000000\n',
    'x = []\nfor i in range(60): x = [x, x]\ny = str(x)\n',
    'x = []\nz = []\nfor i in range(60):\n  x = [x, x]\n  z = [z, z]\ny = x == z\n',
    'x = (1,)\nfor i in range(60): x = (x, x)\ny = {x: 1}\n',
    'x = "a" * 100000\nfor i in range(90000): x in x + "b"\n',
    'x = []\nfor i in range(2000): x = [x]\ny = str(x)\n',
    `x = ${'('.repeat(10_000)}`,
    `x = ${'-'.repeat(10_000)}1\n`,
    `x = ${'1 + '.repeat(10_000)}1\n`,
    `x = ${'not '.repeat(10_000)}1\n`,
    `x = "a"${'.upper()'.repeat(10_000)}\n`,
    Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}if 1:\n`).join(''),
    Array.from({ length: 1000 }, (_, n) => `def f${n}(): return ${n === 0 ? '1' : `f${n - 1}()`}\n`).join(
      '',
    ) + 'f999()\n',
    `# ${'x'.repeat(600_000)}\n`,
    'def f(g): return g(g)\nf(f)\n',
  ])('%#: it is refused', (text) => {
    expect(read(text).kind).toBe('invalid')
  })
})

describe('given anything at all', () => {
  it('it answers', () => {
    const piece = fc.constantFrom('prefix_rule', '(', ')', '[', ']', '{', '}', '"a"', "'", '"', 'f"{x}"', '=', '+', ',', ':', '\n', '  ', 'for', 'in', 'if', 'else', 'def', 'x', '1', 'lambda', 'return', '.', '%', '\\', '#', 'é', '\0') // prettier-ignore
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
