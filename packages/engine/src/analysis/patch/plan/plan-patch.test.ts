import { describe, expect, it } from 'vitest'
import { after, envelope, filesOf, image, outcomeOf, planned, problemsOf } from '../fixtures/memory-tree.ts'
import { planPatch } from '../plan-patch.ts'

describe('given a patch of several files', () => {
  it('plans all of them, in the order of the patch', async () => {
    const body =
      '*** Add File: n/new\n+x\n*** Delete File: old\n*** Update File: a\n*** Move to: b\n@@\n-1\n+2'
    expect(await after({ old: 'o', a: '1\n' }, body)).toEqual({
      'n/new': 'x\n',
      old: null,
      a: null,
      b: '2\n',
    })
  })

  it('says where a file was moved from', async () => {
    const plan = await planned(
      { a: '1\n' },
      '*** Update File: a\n*** Move to: b\n*** Update File: b\n*** Move to: c',
    )
    expect(plan).toMatchObject({
      kind: 'planned',
      changes: [
        { path: 'a', after: null },
        { path: 'c', movedFrom: 'a' },
      ],
    })
  })

  it('tells the problems of all of them, and plans none', async () => {
    const body =
      '*** Update File: a\n-x\n+y\n*** Delete File: no\n*** Add File: b\n+c\n*** Add File: fine\n+c\n*** Update File: ../a\n-1\n*** Delete File: denied'
    const problems = await problemsOf({ a: '1\n', b: 'b\n' }, body)
    expect(problems.map(({ kind, patchLine }) => [kind, patchLine])).toEqual([
      ['not-found', 3],
      ['missing-file', 5],
      ['existing-file', 6],
      ['bad-path', 10],
      ['refused-file', 12],
    ])
  })

  it('takes the parts in order, each on what the ones before have made', async () => {
    const body =
      '*** Update File: a\n-1\n+2\n*** Update File: ./a\n-2\n+3\n*** Add File: b\n+1\n*** Update File: b\n-1\n+9'
    expect(await after({ a: '1\n' }, body)).toEqual({ a: '3\n', b: '9\n' })
  })

  it('says nothing more of a file that a part has failed on', async () => {
    expect(
      await problemsOf({ a: '1\n' }, '*** Update File: a\n-8\n+2\n*** Update File: a\n-2\n+3'),
    ).toHaveLength(1)
  })

  it('drops what ends as it began', async () => {
    const body =
      '*** Update File: a\n-1\n+2\n*** Update File: a\n-2\n+1\n*** Add File: b\n+x\n*** Delete File: b\n*** Update File: c\n 1'
    expect(await after({ a: '1\n', c: '1\n' }, body)).toEqual({})
  })

  it('may replace a file by deleting and adding it', async () => {
    expect(await after({ a: '1\n' }, '*** Delete File: a\n*** Add File: a\n+2')).toEqual({ a: '2\n' })
  })

  it('refuses a file that would have to be a folder', async () => {
    expect(await problemsOf({}, '*** Add File: a/b\n+x\n*** Add File: a\n+x')).toMatchObject([
      { kind: 'contradiction', path: 'a/b' },
    ])
  })
})

describe('given files that are there, or not', () => {
  it('takes an addition of the same content for done, and says so', async () => {
    expect(await planned({ a: 'x\n' }, '*** Add File: a\n+x')).toMatchObject({
      kind: 'planned',
      changes: [],
      notes: ['a is there already, with the same content'],
    })
  })

  it.each(['*** Add File: a\n+y', '*** Update File: b\n*** Move to: a'])(
    'overwrites no file by %j',
    async (body) => {
      expect(await problemsOf({ a: 'x\n', b: 'b\n' }, body)).toMatchObject([{ kind: 'existing-file' }])
    },
  )

  it.each(['a', './a', 'x/../a'])('keeps a file that is moved to %s, itself', async (target) => {
    const plan = await planned({ a: '1\n' }, `*** Update File: a\n*** Move to: ${target}\n-1\n+2`)
    if (target.includes('..')) expect(plan.kind).toBe('refused')
    else expect(outcomeOf(plan)).toEqual({ a: '2\n' })
  })

  it('moves a file without a change, and keeps its mode', async () => {
    expect(await planned({ a: image('1', 0o755) }, '*** Update File: a\n*** Move to: b/c')).toMatchObject({
      changes: [
        { path: 'a', after: null },
        { path: 'b/c', after: { mode: 0o755 }, movedFrom: 'a' },
      ],
    })
  })

  it('keeps the mode of what it changes, and adds plain files', async () => {
    expect(
      await planned({ a: image('1\n', 0o700) }, '*** Update File: a\n-1\n+2\n*** Add File: b'),
    ).toMatchObject({
      changes: [{ after: { mode: 0o700 } }, { after: { mode: 0o644, bytes: new Uint8Array() } }],
    })
  })

  it('deletes what is no text, and changes none of it', async () => {
    const binary = image(Uint8Array.of(0xff, 0, 1))
    expect(await after({ a: binary }, '*** Delete File: a')).toEqual({ a: null })
    expect(await problemsOf({ a: binary }, '*** Update File: a\n-1\n+2')).toMatchObject([
      { kind: 'not-text' },
    ])
  })
})

describe('given a symbolic link', () => {
  const files = filesOf({ real: '1\n' }, { link: 'real', out: '../x', odd: './real' })
  const over = (body: string) => planPatch(envelope(body), files)

  it('changes what it leads to', async () => {
    expect(outcomeOf(await over('*** Update File: link\n-1\n+2'))).toEqual({ real: '2\n' })
  })

  it('neither deletes nor moves what it leads to', async () => {
    expect(await over('*** Delete File: link')).toMatchObject({ problems: [{ kind: 'refused-file' }] })
    expect(await over('*** Update File: link\n*** Move to: b')).toMatchObject({
      problems: [{ kind: 'refused-file' }],
    })
  })

  it('never takes a path that leads out for one below the root', async () => {
    for (const name of ['out', 'odd'])
      expect(await over(`*** Add File: ${name}\n+x`)).toMatchObject({ problems: [{ kind: 'refused-file' }] })
  })

  it('is the same file under both names', async () => {
    expect(outcomeOf(await over('*** Update File: link\n-1\n+2\n*** Update File: real\n-2\n+3'))).toEqual({
      real: '3\n',
    })
    expect(outcomeOf(await over('*** Update File: real\n*** Move to: link\n-1\n+2'))).toEqual({ real: '2\n' })
  })
})

describe('given a text that is no patch', () => {
  it.each([
    '',
    'nonsense',
    '*** Begin Patch\n*** End Patch',
    '*** Begin Patch\n*** Add File: a\n+x',
    envelope('*** Update File: a'),
  ])('refuses %j', async (text) => {
    const refused = await planPatch(text, filesOf({ a: '' }))
    expect(refused).toMatchObject({ kind: 'refused', problems: [{ kind: 'malformed' }] })
  })
})
