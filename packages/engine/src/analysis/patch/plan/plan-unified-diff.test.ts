import { describe, expect, it } from 'vitest'
import { filesOf, image, outcomeOf, type Tree } from '../fixtures/memory-tree.ts'
import { planUnifiedDiff } from '../unified.ts'

function plan(tree: Tree, ...lines: readonly string[]) {
  return planUnifiedDiff(lines.join('\n'), filesOf(tree))
}

const names = ['--- a/a', '+++ b/a'] as const

describe('given a unified diff', () => {
  it('plans all of its files, with the headers of git or without', async () => {
    const planned = await plan(
      { a: '1\n2\n', b: 'x\n', 'd/c': 'gone\n' },
      'A letter above it.',
      '',
      'diff --git a/a b/a',
      'index 000..111 100644',
      ...names,
      '@@ -1,2 +1,2 @@',
      '-1',
      '+one',
      ' 2',
      '--- b\t2026-01-01 00:00:00',
      '+++ b\t2026-01-01 00:00:00',
      '@@ -1 +1 @@',
      '-x',
      '+y',
      'diff --git a/d/c b/d/c',
      'deleted file mode 100644',
      '--- a/d/c',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-gone',
      'diff --git a/n b/n',
      'new file mode 100755',
      '--- /dev/null',
      '+++ b/n',
      '@@ -0,0 +1 @@',
      '+new',
      '\\ No newline at end of file',
      '-- ',
      '2.39.5',
      '',
    )
    expect(outcomeOf(planned)).toEqual({ a: 'one\n2\n', b: 'y\n', 'd/c': null, n: 'new' })
    expect(planned).toMatchObject({ changes: [{}, {}, {}, { after: { mode: 0o755 } }] })
  })

  it('renames, changes the mode, and creates and deletes empty files', async () => {
    const planned = await plan(
      { a: image('1\n', 0o600), e: '' },
      'diff --git a/a "b/\\303\\274 \\"q\\""',
      'old mode 100644',
      'new mode 100755',
      'similarity index 100%',
      'rename from a',
      'rename to "\\303\\274 \\"q\\""',
      'diff --git a/e b/e',
      'deleted file mode 100644',
      'index e69de29..0000000',
      'diff --git a/n b/n',
      'new file mode 100644',
      'index 0000000..e69de29',
    )
    expect(outcomeOf(planned)).toEqual({ a: null, 'ü "q"': '1\n', e: null, n: '' })
    expect(planned).toMatchObject({ changes: [{}, { after: { mode: 0o711 }, movedFrom: 'a' }, {}, {}] })
  })

  it('finds lines that have moved, once, and notes it', async () => {
    const planned = await plan({ a: '0\n0\nx\n' }, ...names, '@@ -1 +1 @@', '-x', '+y')
    expect(outcomeOf(planned)).toEqual({ a: '0\n0\ny\n' })
    expect(planned).toMatchObject({ notes: [expect.stringContaining('stands at line 3')] })
  })

  it.each([
    ['the stated line where several are alike', 'x\nx\nx\n', ['@@ -2 +2 @@', '-x', '+y'], 'x\ny\nx\n'],
    ['the line end that it states', '1\r\n2\r\n', ['@@ -1 +1 @@', '-1\r', '+1'], '1\n2\r\n'],
    ['the line end that it has lost', '1\r\n2\r\n', ['@@ -1 +1 @@', '-1', '+one'], 'one\r\n2\r\n'],
    ['an addition without context', '1\n2\n', ['@@ -1,0 +2 @@', '+x'], '1\nx\n2\n'],
  ])('takes %s', async (_, before, hunk, after) => {
    expect(outcomeOf(await plan({ a: before }, ...names, ...hunk))).toEqual({ a: after })
  })

  it('keeps line ends of the file where all of the diff has others', async () => {
    const returned = [...names, '@@ -1 +1 @@', '-1', '+one', ''].map((line) => `${line}\r`)
    expect(outcomeOf(await plan({ a: '1\n2\n' }, ...returned))).toEqual({ a: 'one\n2\n' })
  })

  it.each([
    ['moved lines at two places', '0\nx\nx\n', ['@@ -1 +1 @@', '-x', '+y'], 'ambiguous'],
    ['other white space', ' x\n', ['@@ -1 +1 @@', '-x', '+y'], 'not-found'],
    ['an addition behind the end', '1\n', ['@@ -9,0 +9 @@', '+x'], 'not-found'],
  ])('does not take %s', async (_, before, hunk, kind) => {
    expect(await plan({ a: before }, ...names, ...hunk)).toMatchObject({ problems: [{ kind }] })
  })

  it('deletes only what it shows', async () => {
    const lines = ['--- a/a', '+++ /dev/null', '@@ -1 +0,0 @@', '-x']
    expect(await plan({ a: 'x\nmore\n' }, ...lines)).toMatchObject({ problems: [{ kind: 'not-found' }] })
  })

  it.each([
    ['counts that are too small', [...names, '@@ -1 +1 @@', '-x', '+y', '+z']],
    ['counts that are too large', [...names, '@@ -1,5 +1 @@', '-x', '+y', '']],
    ['a second hunk without numbers', [...names, '@@ -1 +1 @@', '-x', '+y', '@@', '-x']],
    ['lines behind text that is no part of it', [...names, '@@ -1 +1 @@', '-x', '+y', 'what?', '+z']],
    ['nothing in a file', ['diff --git a/a b/a', '']],
    ['one name only', ['diff --git a/a b/a', '--- a/a', '@@ -1 +1 @@']],
    [
      'a symbolic link',
      ['diff --git a/l b/l', 'new file mode 120000', '--- /dev/null', '+++ b/l', '@@ -0,0 +1 @@', '+a'],
    ],
    ['binary content', ['diff --git a/a b/a', 'index 1..2', 'GIT binary patch']],
    ['a copy', ['diff --git a/a b/c', 'copy from a', 'copy to c']],
    ['old lines in a new file', ['--- /dev/null', '+++ b/n', '@@ -1 +1 @@', '-x', '+y']],
    ['names without end', ['--- "a', '+++ "b', '@@ -1 +1 @@', '-x', '+y']],
    ['two names without a rename', ['--- a.orig', '+++ b/a', '@@ -1 +1 @@', '-x', '+y']],
    ['two times nothing', ['--- /dev/null', '+++ /dev/null', '@@ -0,0 +1 @@', '+x']],
  ])('refuses %s', async (_, lines) => {
    expect(await plan({ a: 'x\n' }, ...lines)).toMatchObject({
      kind: 'refused',
      problems: [{ kind: 'malformed' }],
    })
  })

  it('says what is wrong with counts, and takes no removed line for a signature', async () => {
    const more = {
      problems: [{ message: expect.stringContaining('more lines than expected') as unknown }],
    }
    expect(await plan({ a: 'x\n' }, ...names, '@@ -1 +1 @@', '-x', '+y', '+z')).toMatchObject(more)
    const refused = await plan({ a: 'x\n' }, ...names, '@@ -1 +1 @@', '-x', '+y', '-- ', '-1', '-2')
    expect(refused).toMatchObject({ kind: 'refused', problems: [{ kind: 'malformed' }] })
  })

  it('refuses a path that leaves the root', async () => {
    expect(await plan({ a: 'x\n' }, '--- a/../a', '+++ b/../a', '@@ -1 +1 @@', '-x', '+y')).toMatchObject({
      problems: [{ kind: 'bad-path' }],
    })
  })
})
