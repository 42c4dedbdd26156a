import { describe, expect, it } from 'vitest'
import { after, planned, problemsOf } from '../fixtures/memory-tree.ts'

const python =
  'class A:\n  def f(self):\n    return 1\n\nclass B:\n  def f(self):\n    return 1\n  def g(self):\n    pass\n'
const pythonOfX = python.replace(/return 1\n {2}def g/, 'x\n  def g')

/** A file, the lines of its update, and the file after it. */
function itTakes(cases: Readonly<Record<string, readonly [before: string, body: string, after: string]>>) {
  it.each(Object.entries(cases))('takes %s', async (_, [before, body, expected]) => {
    expect(await after({ a: before }, `*** Update File: a\n${body}`)).toEqual({ a: expected })
  })
}

/** A file, the lines of its update, and its problems. */
function itRefuses(
  cases: Readonly<Record<string, readonly [before: string, body: string, problems: object[]]>>,
) {
  it.each(Object.entries(cases))('refuses %s', async (_, [before, body, problems]) => {
    expect(await problemsOf({ a: before }, `*** Update File: a\n${body}`)).toMatchObject(problems)
  })
}

describe('given lines that stand in the file more than once', () => {
  itRefuses({
    'them, with all places and the way out': [
      python,
      '-    return 1\n+    return 2',
      [{ kind: 'ambiguous', places: [3, 7], patchLine: 3 }],
    ],
    'where the @@ line stands there twice too': [
      python,
      '@@   def f(self):\n-    return 1\n+    return 2',
      [{ kind: 'ambiguous', places: [3, 7] }],
    ],
    'fewer equal chunks than there are places': [
      'x\nx\nx\n',
      '@@\n-x\n+y\n@@\n-x\n+y',
      [{ kind: 'ambiguous' }, { kind: 'ambiguous' }],
    ],
    'other lines than the last at the end of the file': [
      'x\nk\n',
      '-x\n+y\n*** End of File',
      [{ kind: 'not-found' }],
    ],
  })

  itTakes({
    'the one that its stacked @@ lines lead to': [
      python,
      '@@ class B:\n@@   def f(self):\n-    return 1\n+    return 2',
      python.replace(/return 1\n {2}def g/, 'return 2\n  def g'),
    ],
    'the one in the block of its @@ line, though another follows': [
      python,
      '@@ class A:\n-    return 1\n+    return 2',
      python.replace('return 1', 'return 2'),
    ],
    'a doubtful @@ line where only one of its blocks has the lines': [
      pythonOfX,
      '@@   def f(self):\n-    x\n+    y',
      pythonOfX.replace('    x\n', '    y\n'),
    ],
    'an exact place before one that differs in white space': ['x \nx\n  x\n', '-x\n+y', 'x \ny\n  x\n'],
    'as many equal chunks as there are places': ['x\nk\nx\n', '@@\n-x\n+y\n@@\n-x\n+y', 'y\nk\ny\n'],
    'the last lines for a chunk at the end': ['x\nk\nx\n', '-x\n+y\n*** End of File', 'x\nk\ny\n'],
  })

  it('cuts a long list of places', async () => {
    const [problem] = await problemsOf({ a: 'x\n'.repeat(500) }, '*** Update File: a\n-x\n+y')
    expect(problem?.places).toHaveLength(20)
    expect(problem?.message).toContain('500 places')
  })
})

describe('given an addition', () => {
  itTakes({
    'the place below its @@ line, not the end': ['one\ntwo\n', '@@ one\n+new', 'one\nnew\ntwo\n'],
    'the end without an @@ line': ['one\ntwo\n', '+new', 'one\ntwo\nnew\n'],
    'the end with the mark': ['one\ntwo\n', '@@ one\n+new\n*** End of File', 'one\ntwo\nnew\n'],
    'an empty file': ['', '+new', 'new\n'],
  })
  itRefuses({
    'an @@ line that stands there twice': [
      'one\none\n',
      '@@ one\n+new',
      [{ kind: 'ambiguous', places: [2, 3] }],
    ],
  })
})

describe('given an @@ line', () => {
  itTakes({
    'it as the first line of the chunk too': [
      python,
      '@@   def g(self):\n   def g(self):\n-    pass\n+    ...',
      python.replace('pass', '...'),
    ],
    'what stands in its own block, not the same below': [
      python,
      '@@ class A:\n@@   def f(self):\n+    new',
      python.replace('    return 1\n', '    new\n    return 1\n'),
    ],
    'it in the middle of the chunk': [
      '@once\ndef f():\n  x\n',
      '@@ def f():\n-@once\n+@twice\n def f():',
      '@twice\ndef f():\n  x\n',
    ],
    'lines below its block': ['# part\nx\n', '@@ # part\n-x\n+y', '# part\ny\n'],
    'other white space in its block, though an exact line stands elsewhere': [
      'class A\n  x \nclass B\n  x\n',
      '@@ class A\n-  x\n+  y',
      'class A\n  y\nclass B\n  x\n',
    ],
  })

  itRefuses({
    'one that is not in the file': [
      python,
      '@@ def gg(self):\n-    pass',
      [{ kind: 'not-found', patchLine: 3 }],
    ],
    'lines that stand only above it': ['x\nend\n', '@@ end\n-x\n+y', [{ kind: 'not-found', places: [1] }]],
    'a next one that stands only above it': [
      'one\ntwo\nx\n',
      '@@ two\n@@ one\n-x',
      [{ kind: 'not-found', patchLine: 4 }],
    ],
  })

  it('may differ in white space, which is noted', async () => {
    const plan = await planned({ a: python }, '*** Update File: a\n@@ def g(self):\n-    pass\n+    ...')
    expect(plan).toMatchObject({ kind: 'planned', notes: [expect.stringContaining('white space')] })
  })
})

describe('given several chunks', () => {
  const inOrder = expect.stringContaining('order') as unknown
  const blank = expect.stringContaining('blank line') as unknown

  itRefuses({
    'them out of the order of the file, with the way out': [
      '1\n2\n3\n',
      '@@\n-3\n+c\n@@\n-1\n+a',
      [{ kind: 'contradiction', patchLine: 6, places: [1], message: inOrder }],
    ],
    'a missing blank line, and says so': [
      'one\ntwo\n',
      '@@\n+new\n ',
      [{ kind: 'not-found', message: blank }],
    ],
    'two that change one line': ['1\n2\n', '@@\n-1\n-2\n+a\n@@\n-2\n+c', [{ kind: 'contradiction' }]],
  })

  itTakes({
    'lines behind the one before it, that stand above it too': [
      'x\nb\nx\n',
      '@@\n b\n@@\n-x\n+y',
      'x\nb\ny\n',
    ],
    'lines that stand above it exactly': ['x\nb\nx  \n', '@@\n b\n+c\n@@\n-x\n+y', 'x\nb\nc\ny\n'],
    'lines of the block that it is in': [
      'return 0\nclass B:\n  def g():\n    return 0\n',
      '@@\n class B:\n   def g():\n@@\n-return 0\n+return 1',
      'return 0\nclass B:\n  def g():\nreturn 1\n',
    ],
    'lines with a blank one, that stands above it': [
      '\nnel\n',
      '@@\n nel\n+pass\n@@\n+new\n ',
      '\nnel\npass\nnew\n',
    ],
    'lines with a blank one, where there is none': [
      'nel\n',
      '@@\n nel\n+pass\n@@\n+new\n ',
      'nel\npass\nnew\n',
    ],
    'lines that follow an addition to the end': ['a\nb\n', '@@\n+z\n@@\n-a\n+x', 'x\nb\nz\n'],
    'chunks that share lines that stay': ['1\n2\n3\n', '@@\n-1\n+a\n 2\n@@\n 2\n-3\n+c', 'a\n2\nc\n'],
  })
})
