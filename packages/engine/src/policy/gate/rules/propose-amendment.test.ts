import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTooGeneral, proposeAmendment } from './propose-amendment.ts'

const proposedFor = (words: readonly string[]) => proposeAmendment(words, () => false)
const proposed = (line: string) => proposedFor(line.split(' '))?.prefix.join(' ')

describe('given a command that somebody may allow from now on', () => {
  it.each([
    ['npm run build -- --watch', 'npm run build'],
    ['npm test', 'npm test'],
    ['git status -s', 'git status'],
    ['cargo test --release', 'cargo test'],
    ['docker compose up -d', 'docker compose up'],
    ['kubectl get pods -n x', 'kubectl get pods'],
    ['make build', 'make build'],
    ['python -m pytest tests', 'python -m pytest'],
    ['pytest tests/unit -x', 'pytest'],
    ['gh pr view 12', 'gh pr view'],
    ['npx tsc -p .', 'npx tsc'],
  ])('%s: in general %s', (line, prefix) => {
    expect(proposed(line)).toBe(prefix)
  })

  it.each([
    'mytool a --flag',
    './gradlew build',
    '/usr/bin/git status',
    'git push origin main',
    'git config user.name x',
    'docker run image cmd',
    'kubectl delete pod x',
    'python script.py arg',
    'npm exec tool',
    'make 12',
    'node build.js',
  ])('%s: only this', (line) => {
    expect(proposed(line)).toBe(line)
  })

  it.each([
    'git',
    'npm',
    'npm run',
    'git push',
    'git -C x',
    'git -c a=b status',
    'make -C x build',
    'uvx',
    'deno run x.ts',
    'python3.12 -c x',
    'python /dev/stdin',
    'bash',
    'python',
    'python -c print(1)',
    'python -m',
    'node -e x',
    'node --eval x',
    'bash -c ls',
    'bash -lc ls',
    '/bin/sh -c ls',
    'perl -e x',
    'sudo ls',
    'env A=1 ls',
    'xargs rm',
    'find . -name x',
    'ssh host ls',
    'timeout 5 ls',
    'nohup x',
    'command ls',
    'eval ls',
    'sed -i s/a/b/ x',
    '',
  ])('%s: nothing', (line) => {
    expect(proposed(line)).toBeUndefined()
  })

  it('nothing that is stopped anyway', () => {
    const isStopped = (prefix: readonly string[]) =>
      prefix[0] === 'rm' || prefix.join(' ') === 'git stash clear'
    expect(proposeAmendment(['rm', 'x'], isStopped)).toBeUndefined()
    expect(proposeAmendment(['git', 'stash', 'clear', 'x'], isStopped)?.prefix.join(' ')).toBe(
      'git stash clear x',
    )
  })

  it('nothing that nobody would read', () => {
    expect(proposedFor(['mytool', 'x'.repeat(2000)])).toBeUndefined()
    expect(proposedFor(['mytool', ...Array.from({ length: 50 }, () => 'x')])).toBeUndefined()
    expect(proposedFor(['mytool', '\ud800'])).toBeUndefined()
    expect(proposedFor(['mytool', '\0'])).toBeUndefined()
  })

  it('always a prefix of the command, and never too general', () => {
    const word = fc.constantFrom(...'git npm run python -m -c bash x make /bin/sh -- sudo push'.split(' '))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const amendment = proposedFor(words)
        if (amendment === undefined) return
        expect(words.slice(0, amendment.prefix.length)).toEqual(amendment.prefix)
        expect(isTooGeneral(amendment.prefix)).toBe(false)
      }),
    )
  })
})

describe('given a prefix that the model has asked for', () => {
  it.each([
    ['git', true],
    ['sudo apt', true],
    ['env', true],
    ['npm -w a', true],
    ['git --no-pager', true],
    ['git -c', true],
    ['/usr/bin/python3.12', true],
    ['git push origin', false],
    ['/usr/bin/python3', true],
    ['git status', false],
    ['npm run build', false],
    ['pytest', false],
    ['mytool', false],
    ['python -m pytest', false],
  ])('%s: too general is %j', (line, expected) => {
    expect(isTooGeneral(line.split(' '))).toBe(expected)
  })

  it('no words at all are too general', () => {
    expect(isTooGeneral([])).toBe(true)
  })
})
