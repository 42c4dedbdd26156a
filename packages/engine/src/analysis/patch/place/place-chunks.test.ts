import { describe, expect, it } from 'vitest'
import { envelope, filesOf, outcomeOf, type Tree } from '../fixtures/memory-tree.ts'
import { planPatch } from '../plan-patch.ts'
import { type Plan } from '../plan.ts'

function plan(tree: Tree, body: string): Promise<Plan> {
  return planPatch(envelope(body), filesOf(tree))
}

async function after(tree: Tree, body: string): Promise<Record<string, string | null> | string> {
  return outcomeOf(await plan(tree, body))
}

async function problemsOf(tree: Tree, body: string) {
  const refused = await plan(tree, body)
  return refused.kind === 'refused' ? refused.problems : []
}

const python =
  'class A:\n  def f(self):\n    return 1\n\nclass B:\n  def f(self):\n    return 1\n  def g(self):\n    pass\n'

describe('given lines that stand in the file more than once', () => {
  it('refuses, with all places and the way out', async () => {
    expect(await problemsOf({ a: python }, '*** Update File: a\n-    return 1\n+    return 2')).toMatchObject(
      [{ kind: 'ambiguous', places: [3, 7], patchLine: 3 }],
    )
  })

  it('takes the one that its stacked @@ lines lead to', async () => {
    const body = '*** Update File: a\n@@ class B:\n@@   def f(self):\n-    return 1\n+    return 2'
    expect(await after({ a: python }, body)).toEqual({
      a: python.replace(/return 1\n {2}def g/, 'return 2\n  def g'),
    })
  })

  it('takes the one in the block of its @@ line, though another follows', async () => {
    const body = '*** Update File: a\n@@ class A:\n-    return 1\n+    return 2'
    expect(await after({ a: python }, body)).toEqual({ a: python.replace('return 1', 'return 2') })
  })

  it('refuses where the @@ line stands there twice too', async () => {
    const body = '*** Update File: a\n@@   def f(self):\n-    return 1\n+    return 2'
    expect(await problemsOf({ a: python }, body)).toMatchObject([{ kind: 'ambiguous', places: [3, 7] }])
  })

  it('takes a doubtful @@ line where only one of its blocks has the lines', async () => {
    const body = '*** Update File: a\n@@   def f(self):\n-    x\n+    y'
    const source = python.replace(/return 1\n {2}def g/, 'x\n  def g')
    expect(await after({ a: source }, body)).toEqual({ a: source.replace('    x\n', '    y\n') })
  })

  it('takes an exact place before one that differs in white space', async () => {
    expect(await after({ a: 'x \nx\n  x\n' }, '*** Update File: a\n-x\n+y')).toEqual({ a: 'x \ny\n  x\n' })
  })

  it('takes as many equal chunks as there are places', async () => {
    const body = '*** Update File: a\n@@\n-x\n+y\n@@\n-x\n+y'
    expect(await after({ a: 'x\nk\nx\n' }, body)).toEqual({ a: 'y\nk\ny\n' })
    expect(await problemsOf({ a: 'x\nx\nx\n' }, body)).toMatchObject([
      { kind: 'ambiguous' },
      { kind: 'ambiguous' },
    ])
  })

  it('takes the last lines where the chunk is at the end of the file', async () => {
    expect(await after({ a: 'x\nk\nx\n' }, '*** Update File: a\n-x\n+y\n*** End of File')).toEqual({
      a: 'x\nk\ny\n',
    })
    expect(await problemsOf({ a: 'x\nk\n' }, '*** Update File: a\n-x\n+y\n*** End of File')).toMatchObject([
      { kind: 'not-found' },
    ])
  })

  it('cuts a long list of places', async () => {
    const [problem] = await problemsOf({ a: 'x\n'.repeat(500) }, '*** Update File: a\n-x\n+y')
    expect(problem?.places).toHaveLength(20)
    expect(problem?.message).toContain('500 places')
  })
})

describe('given an addition', () => {
  it('puts it below its @@ line, not at the end of the file', async () => {
    expect(await after({ a: 'one\ntwo\n' }, '*** Update File: a\n@@ one\n+new')).toEqual({
      a: 'one\nnew\ntwo\n',
    })
  })

  it('puts it at the end without an @@ line, or with the mark', async () => {
    expect(await after({ a: 'one\ntwo\n' }, '*** Update File: a\n+new')).toEqual({ a: 'one\ntwo\nnew\n' })
    expect(await after({ a: 'one\ntwo\n' }, '*** Update File: a\n@@ one\n+new\n*** End of File')).toEqual({
      a: 'one\ntwo\nnew\n',
    })
    expect(await after({ a: '' }, '*** Update File: a\n+new')).toEqual({ a: 'new\n' })
  })

  it('refuses where the @@ line stands there twice', async () => {
    expect(await problemsOf({ a: 'one\none\n' }, '*** Update File: a\n@@ one\n+new')).toMatchObject([
      { kind: 'ambiguous', places: [2, 3] },
    ])
  })
})

describe('given an @@ line', () => {
  it('may be the first line of the chunk too', async () => {
    expect(
      await after(
        { a: python },
        '*** Update File: a\n@@   def g(self):\n   def g(self):\n-    pass\n+    ...',
      ),
    ).toEqual({
      a: python.replace('pass', '...'),
    })
  })

  it('may differ in white space, which is noted', async () => {
    const planned = await plan({ a: python }, '*** Update File: a\n@@ def g(self):\n-    pass\n+    ...')
    expect(planned).toMatchObject({ kind: 'planned', notes: [expect.stringContaining('white space')] })
  })

  it('is told where it is not in the file', async () => {
    expect(await problemsOf({ a: python }, '*** Update File: a\n@@ def gg(self):\n-    pass')).toMatchObject([
      { kind: 'not-found', patchLine: 3 },
    ])
  })

  it('is told where the lines stand only above it', async () => {
    expect(await problemsOf({ a: 'x\nend\n' }, '*** Update File: a\n@@ end\n-x\n+y')).toMatchObject([
      { kind: 'not-found', places: [1] },
    ])
  })

  it('leads to what stands in its own block, not to the same below', async () => {
    const body = '*** Update File: a\n@@ class A:\n@@   def f(self):\n+    new'
    expect(await after({ a: python }, body)).toEqual({
      a: python.replace('    return 1\n', '    new\n    return 1\n'),
    })
  })

  it('leads nowhere where the next one stands only above it', async () => {
    expect(await problemsOf({ a: 'one\ntwo\nx\n' }, '*** Update File: a\n@@ two\n@@ one\n-x')).toMatchObject([
      { kind: 'not-found', patchLine: 4 },
    ])
  })

  it('may stand in the middle of the chunk', async () => {
    const source = '@once\ndef f():\n  x\n'
    const body = '*** Update File: a\n@@ def f():\n-@once\n+@twice\n def f():'
    expect(await after({ a: source }, body)).toEqual({ a: source.replace('once', 'twice') })
  })

  it('may lead to lines below its block', async () => {
    expect(await after({ a: '# part\nx\n' }, '*** Update File: a\n@@ # part\n-x\n+y')).toEqual({
      a: '# part\ny\n',
    })
  })

  it('forgives white space in its block, though an exact line stands elsewhere', async () => {
    const source = 'class A\n  x \nclass B\n  x\n'
    expect(await after({ a: source }, '*** Update File: a\n@@ class A\n-  x\n+  y')).toEqual({
      a: 'class A\n  y\nclass B\n  x\n',
    })
  })
})

describe('given several chunks', () => {
  it('refuses them out of the order of the file, with the way out', async () => {
    const body = '*** Update File: a\n@@\n-3\n+c\n@@\n-1\n+a'
    expect(await problemsOf({ a: '1\n2\n3\n' }, body)).toMatchObject([
      {
        kind: 'contradiction',
        patchLine: 6,
        places: [1],
        message: expect.stringContaining('order') as unknown,
      },
    ])
  })

  it.each([
    ['lines that stand above it too', 'x\nb\nx\n', ' b\n@@\n-x\n+y', 'x\nb\ny\n'],
    ['lines that stand above it exactly', 'x\nb\nx  \n', ' b\n+c\n@@\n-x\n+y', 'x\nb\nc\ny\n'],
    [
      'lines of the block that it is in',
      'return 0\nclass B:\n  def g():\n    return 0\n',
      ' class B:\n   def g():\n@@\n-return 0\n+return 1',
      'return 0\nclass B:\n  def g():\nreturn 1\n',
    ],
    [
      'lines with a blank one, that stands above it',
      '\nnel\n',
      ' nel\n+pass\n@@\n+new\n ',
      '\nnel\npass\nnew\n',
    ],
    ['lines with a blank one, where there is none', 'nel\n', ' nel\n+pass\n@@\n+new\n ', 'nel\npass\nnew\n'],
    ['lines that follow an addition to the end', 'a\nb\n', '+z\n@@\n-a\n+x', 'x\nb\nz\n'],
  ])('puts behind the one before it %s', async (_, before, body, expected) => {
    expect(await after({ a: before }, `*** Update File: a\n@@\n${body}`)).toEqual({ a: expected })
  })

  it('says that a blank line is what is missing', async () => {
    expect(await problemsOf({ a: 'one\ntwo\n' }, '*** Update File: a\n@@\n+new\n ')).toMatchObject([
      { kind: 'not-found', message: expect.stringContaining('blank line') as unknown },
    ])
  })

  it('lets them share lines that stay', async () => {
    expect(await after({ a: '1\n2\n3\n' }, '*** Update File: a\n@@\n-1\n+a\n 2\n@@\n 2\n-3\n+c')).toEqual({
      a: 'a\n2\nc\n',
    })
  })

  it('refuses two that change one line', async () => {
    expect(await problemsOf({ a: '1\n2\n' }, '*** Update File: a\n@@\n-1\n-2\n+a\n@@\n-2\n+c')).toMatchObject(
      [{ kind: 'contradiction' }],
    )
  })
})
