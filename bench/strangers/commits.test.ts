import { describe, expect, it } from 'vitest'
import { honestCommits } from './commits.ts'
import { contentsOf, entriesOf, openRepository } from './git.ts'
import type { Project } from './projects.ts'
import { repositoryOf } from './repository-for-test.ts'

const project: Project = {
  name: 'owner/name',
  language: 'JavaScript',
  tests: /^test\//u,
  checks: ['npm test'],
}

describe('given a repository', () => {
  const repository = openRepository(
    repositoryOf([
      { 'a.js': '1', 'test/a.js': '1' },
      { 'a.js': '2' },
      {},
      { 'a.js': '3', 'test/a.js': null, 'test/ü b.js': 'x', 'readme.md': 'r' },
      { 'readme.md': 's', 'test/ü b.js': 'y' },
    ]),
  )

  it('those commits are taken that change tests and source together, and have a parent', () => {
    const [commit, ...others] = honestCommits(repository, project, 9)
    expect(others).toEqual([])
    expect(commit?.subject).toBe('commit 3')
    expect(commit?.changed.toSorted()).toEqual(['a.js', 'readme.md', 'test/a.js', 'test/ü b.js'])
  })

  it('it is named after its folders', () => {
    expect(repository.name).toBe('owner/name')
  })

  it('the contents of a commit are read without a work tree', () => {
    const entries = entriesOf(repository, 'HEAD')
    expect([...entries.keys()]).toEqual(['a.js', 'readme.md', 'test/ü b.js'])
    const contents = contentsOf(
      repository,
      [...entries.values()].map(({ id }) => id),
    )
    expect([...contents.values()].map(String)).toEqual(['3', 's', 'y'])
  })
})
