/** What the reference is known to answer: one row each. */
import type { PolicyCase } from './policy-runs.ts'

export interface PolicyRow {
  readonly name: string
  readonly test: PolicyCase
  readonly decision: string | undefined
  /** Of every match, in order. */
  readonly prefixes: readonly (readonly string[])[]
  readonly resolved?: string
}

const row = (
  name: string,
  rules: string,
  command: string,
  decision: string | undefined,
  prefixes: readonly (readonly string[])[],
  resolved?: string,
): PolicyRow => ({
  name,
  test: { files: rules.split('---\n'), words: command.split(' '), resolves: resolved !== undefined },
  decision,
  prefixes,
  ...(resolved === undefined || resolved === '' ? {} : { resolved }),
})

const git = 'prefix_rule(["git"])\n'
const opt = 'host_executable("git", ["/opt/git"])\n'
const path = (decision: string) =>
  `prefix_rule(["/usr/bin/git"${decision === 'push' ? ', "push"' : ''}], "prompt")\n`
const forbidden = 'prefix_rule(["git"], "forbidden")\n'

/** With `resolved` given, also where it is empty, `--resolve-host-executables` is on. */
export const policyRows: readonly PolicyRow[] = [
  row('a prefix', 'prefix_rule(["git", "status"])\n', 'git status -s', 'allow', [['git', 'status']]),
  row('alternatives', 'prefix_rule(["git", ["push", "fetch"]], "prompt")\n', 'git push origin', 'prompt', [
    ['git', 'push'],
  ]),
  row('no rule', git, 'ls', undefined, []),
  row(
    'every match, the most severe wins',
    `${git}${'prefix_rule(["git", "push"], "prompt")\n'.repeat(2)}`,
    'git push',
    'prompt',
    [['git'], ['git', 'push'], ['git', 'push']],
  ),
  row(
    'a longer prefix is no exception',
    `prefix_rule(["git", "push"])\n${forbidden}`,
    'git push',
    'forbidden',
    [['git', 'push'], ['git']],
  ),
  row('alternatives in front', 'prefix_rule([["a", "b"], "c"])\n', 'b c d', 'allow', [['b', 'c']]),
  row('a path is another program', git, '/usr/bin/git status', undefined, []),
  row('a path is looked up by its name', git, '/usr/bin/git status', 'allow', [['git']], '/usr/bin/git'),
  row('a path that is not listed', git + opt, '/usr/bin/git status', undefined, [], ''),
  row('a path that is listed', git + opt, '/opt/git status', 'allow', [['git']], '/opt/git'),
  row('an empty list', `host_executable("git", [])\n${git}`, '/opt/git', undefined, [], ''),
  row(
    'a rule for the path hides those of the name',
    path('') + forbidden,
    '/usr/bin/git status',
    'prompt',
    [['/usr/bin/git']],
    '',
  ),
  row(
    'a rule for the path that does not match hides nothing',
    path('push') + forbidden,
    '/usr/bin/git status',
    'forbidden',
    [['git']],
    '/usr/bin/git',
  ),
  row('a way through folders', git, '/usr/bin/../bin/git', 'allow', [['git']], '/usr/bin/git'),
  row('names', 'a = "y"\nb = [a] + ["2"]\nprefix_rule(pattern=b)\n', 'y 2', 'allow', [['y', '2']]),
  row('two files', 'prefix_rule(["a"])\n---\nprefix_rule(["a"], "prompt")\n', 'a', 'prompt', [['a'], ['a']]),
  row(
    'two files the other way round',
    'prefix_rule(["a"], "prompt")\n---\nprefix_rule(["a"])\n',
    'a',
    'prompt',
    [['a'], ['a']],
  ),
  row(
    'a second list replaces the first',
    `${opt}---\nhost_executable("git", ["/usr/bin/git"])\n${git}`,
    '/opt/git',
    undefined,
    [],
    '',
  ),
]

interface LanguageFile {
  readonly name: string
  readonly text: string
}

/** Files that use the language beyond plain rules: both run them. */
export const languageFiles: readonly LanguageFile[] = [
  { name: 'loops', text: 'for i in ["1", "2"]:\n  prefix_rule(["y", i])\n' },
  { name: 'comprehensions', text: 'x = [y for y in ["a"]]\n' },
  { name: 'conditions', text: 'x = "a" if True else "b"\n' },
  { name: 'functions', text: 'def f(a): return a\n' },
  { name: 'several names at once', text: 'a, b = "a", "b"\n' },
  { name: 'changes of a name', text: 'a = "a"\na += "b"\n' },
  { name: 'tuples', text: 'a = ("a", "b")\n' },
  { name: 'tuples without brackets', text: 'a = "a", "b"\n' },
  { name: 'f-strings', text: 'a = f"b"\n' },
  { name: 'methods', text: 'x = "a".upper()\n' },
  { name: 'functions of the language', text: 'x = str(1)\n' },
  { name: 'functions as values', text: 'x = prefix_rule\n' },
  { name: 'the value of a rule', text: 'x = prefix_rule(["a"])\n' },
  { name: 'names of rules with another meaning', text: 'network_rule = 1\n' },
  { name: 'sums', text: 'x = 1 + 1\n' },
  { name: 'comparisons', text: 'x = 1 == 1\n' },
  { name: 'a value on its own', text: '["a"]\n' },
  { name: 'nothing to do', text: 'pass\n' },
  { name: 'deep lists', text: 'x = [[["a"]]]\n' },
  { name: 'stars in calls', text: 'prefix_rule(*[["x"]])\n' },
]

/** Files that the reference accepts and we refuse: one for each listed deviation. */
export const deviatingFiles: readonly LanguageFile[] = [
  { name: 'signs', text: 'x = -1\n' },
  { name: 'indexes', text: 'x = ["a"][0]\n' },
  { name: 'dicts', text: 'a = {"b": 1}\n' },
  { name: 'formats', text: 'x = "%s" % "a"\n' },
  { name: 'repetition', text: 'x = "a" * 2\n' },
  { name: 'the sign of nothing', text: 'x = (+1)\n' },
  { name: 'lambda', text: 'x = lambda: 1\n' },
  { name: 'rare methods', text: 'x = "a".title()\n' },
  { name: 'an ellipsis', text: 'x = ...\n' },
  { name: 'numbers with a point', text: 'x = 1.5\n' },
  { name: 'large numbers', text: 'x = 9007199254740993\n' },
  { name: 'bytes', text: 'x = b"a"\n' },
  { name: 'canonical_matching', text: 'prefix_rule(["x"], canonical_matching = True)\n' },
  { name: 'large values', text: `x = "${'a'.repeat(1000)}"\n${'x = x + x\n'.repeat(12)}` },
  { name: 'deep brackets', text: `x = ${'('.repeat(80)}1${')'.repeat(80)}\n` },
]
