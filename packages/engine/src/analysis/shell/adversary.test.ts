import { describe, expect, it } from 'vitest'
import { decompose } from './index.ts'
import { commandsIn, obstaclesIn } from './showing.test.ts'

const wanted = 'rm -rf x'

describe('given words that are only known when they run', () => {
  it('takes no value where there is none to take', () => {
    expect(commandsIn('cp "$a" b')).toEqual(['cp ? b'])
    expect(commandsIn('echo a $b')).toEqual(['echo a ?'])
  })
})

describe('given grammar of bash, where it may be a plain sh that reads it', () => {
  it.each([
    'echo a &> f rm -rf x',
    'echo a &>> f rm -rf x',
    '[[ a || rm -rf x ]]',
    '[[ a && $(b) ]] ; [[ c && rm -rf x ]]',
    '((rm -rf x))',
    '((a; rm -rf x))',
    '((rm *))',
    "echo $'a\\'; rm -rf x #'",
    'git push\r\nrm -rf x\r\n',
    'echo a \\\r\nrm -rf x',
  ])('says that %j may be read in two ways', (line) => {
    expect(obstaclesIn(line)).toContain('syntax')
  })

  it('adds nothing to a usual test or sum', () => {
    expect(decompose('[[ -f a && -n "$b" ]] && c')).toMatchObject({
      commands: [{ words: [{ text: 'c' }] }],
      obstacles: [],
    })
    expect(commandsIn('((i++)); a')).toEqual(['a'])
    for (const line of ['((i += 2))', 'while ((i < n)); do a; done'])
      expect(obstaclesIn(line)).not.toContain('syntax')
  })
})

describe('given other ways to be read in two ways', () => {
  it('takes no other letters for blanks', () => {
    expect(commandsIn('a\u00A0b\u2028c\u000Bd e')).toEqual(['a\u00A0b\u2028c\u000Bd e'])
  })

  it('does not know the path of a program as zsh writes it', () =>
    expect(obstaclesIn('=rm -rf x')).toContain('dynamic-program'))

  it('ends a text where a zero byte would stand', () =>
    expect(commandsIn("$'rm\\0y' -rf x")).toEqual([wanted]))

  it('minds quotes that arithmetic would run', () => {
    for (const line of [`test -v 'a[$(rm -rf x)]'`, `let 'a[\`rm -rf x\`]'`, `x='a[$(rm -rf x)]'; (( x ))`])
      expect(obstaclesIn(line)).toContain('dynamic-script')
  })

  it('does not trust arithmetic with variables, nor prompts', () => {
    for (const line of [
      '(( x ))',
      'y=$((x))',
      'a[x]=1',
      'y=${a[x]}',
      'y=${z:x}',
      '[[ $x -eq 1 ]]',
      'let x',
      'for ((i = x;;)); do a; done',
    ])
      expect(obstaclesIn(line)).toContain('dynamic-script')
    for (const line of ['a[0]=1', '[[ 1 -eq 1 ]]', '[[ $x == y ]]', 'y=${z:1:2}', 'y=${a[@]}'])
      expect(obstaclesIn(line)).toEqual([])
    expect(obstaclesIn('echo ${x@P}')).toContain('dynamic-script')
    expect(obstaclesIn('(( 1 + 0x2 ))')).toEqual([])
  })

  it('minds comments only where they are comments', () => {
    expect(commandsIn('a # ; rm -rf x\nb #c')).toEqual(['a', 'b'])
    expect(commandsIn('a#; rm -rf x')).toContain(wanted)
    expect(commandsIn(`a '#'; rm -rf x`)).toContain(wanted)
  })

  it('minds heredocs only where they are run', () => {
    expect(commandsIn(`cat > f <<'E'\nrm -rf x\n$(rm -rf x)\nE\nls`)).toEqual(['cat', 'ls'])
    expect(commandsIn('cat <<E\nrm -rf y\n$(rm -rf x)\nE')).toEqual(['cat', wanted])
  })
})
