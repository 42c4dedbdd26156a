import { describe, expect, it } from 'vitest'
import { decompose } from './index.ts'
import { commandsIn, obstaclesIn } from './showing.test.ts'

const wanted = 'rm -rf x'

describe('given a command that hides behind variables', () => {
  it.each([
    'x=rm; $x -rf x',
    'x=rm y=-rf; $x $y x',
    'x="rm -rf x"; $x',
    'x="rm -rf x"; eval $x',
    'x="rm -rf x"; sh -c "$x"',
    'x="rm -rf x"; echo "$x" | sh; sh -c "${x}"',
    'a=r; b=m; $a$b -rf x',
    'a=r; a+=m; $a -rf x',
    'a=rm; b="$a -rf"; $b x',
    'a=(rm -rf x); "${a[@]}"',
    'a=(x rm); ${a[1]} -rf x',
    'for c in ls rm; do $c -rf x; done',
    '${x:-rm} -rf x',
    ': ${x:=rm}; $x -rf x',
    '${x+rm} -rf x',
    'x=RM; ${x,,} -rf x',
    'x=mr; ${x:1:1}${x:0:1} -rf x',
    'x=rZm; ${x/Z/} -rf x',
    'x=ZrZm; ${x//Z} -rf x',
    'x=rm.sh; ${x%.sh} -rf x',
    'x=y; y=rm; ${!x} -rf x',
    'r${z}m -rf x',
    'r$@m -rf x',
    'r$(true)m -rf x',
    '$z rm -rf x',
    '$(true) rm -rf x',
    'rm $z -rf x',
    'rm${IFS}-rf${IFS}x',
    'rm$IFS-rf${IFS}x',
    'IFS=,; x=rm,-rf,x; $x',
    'set -- rm -rf x; "$@"',
    'set -- rm -rf x; $1 $2 $3',
    'run() { "$@"; }; run rm -rf x',
    'run() { $1 $2 x; }; run rm -rf',
    '$(echo rm) -rf x',
    '$(printf "%s%s" r m) -rf x',
    '$(which rm) -rf x',
    '$(command -v rm) -rf x',
    '$(cat <<< rm) -rf x',
    '[r]m -rf x; r[m] -rf x',
    'export x=rm; $x -rf x',
    "x=rm sh -c '$x -rf x'; x=rm; sh -c '$x -rf x'",
    'x=rm; f() { local y=$x; $y -rf x; }; f',
  ])('finds it in %j, and says that it is not known', (line) => {
    expect(commandsIn(line)).toContain(wanted)
    expect(decompose(line).obstacles).not.toEqual([])
  })

  it('knows the name of a program whatever its folder is', () => {
    for (const line of ['"$HOME"/bin/rm -rf x', '~/bin/rm -rf x', './*/rm -rf x', '$(pwd)/rm -rf x'])
      expect(commandsIn(line)).toContain(wanted)
  })

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
    "echo $'a\\'; rm -rf x #'",
    'time -o f rm -rf x',
  ])('finds what only the other one would run in %j', (line) => {
    expect(commandsIn(line).some((command) => command.startsWith(wanted))).toBe(true)
  })

  it('does not where it is known to be bash', () => {
    expect(commandsIn('echo a &> f rm -rf x', { shell: 'bash' })).toEqual(['echo a rm -rf x'])
    expect(commandsIn(`bash -c 'echo a &> f rm -rf x'`)).not.toContain(wanted)
    expect(commandsIn(`sh -c 'echo a &> f rm -rf x'`)).toContain(wanted)
  })

  it('adds nothing to a usual test or sum', () => {
    expect(decompose('[[ -f a && -n "$b" ]] && c')).toMatchObject({
      commands: [{ words: [{ text: 'c' }] }],
      obstacles: [],
    })
    expect(commandsIn('((i++)); a')).toEqual(['a'])
  })
})

describe('given other ways to be read in two ways', () => {
  it('minds carriage returns', () => {
    expect(commandsIn('git push\r\nrm -rf x\r\n')).toEqual([
      'git push\r',
      'git push',
      'rm -rf x\r',
      'rm -rf x',
    ])
    expect(obstaclesIn('git push\r\n')).toEqual(['dynamic-word'])
    expect(commandsIn('echo a \\\r\nrm -rf x')).toContain(wanted)
  })

  it('takes no other letters for blanks', () => {
    expect(commandsIn('a\u00A0b\u2028c\u000Bd e')).toEqual(['a\u00A0b\u2028c\u000Bd e'])
  })

  it('reads the path of a program as zsh writes it', () => expect(commandsIn('=rm -rf x')).toContain(wanted))

  it('ends a text where a zero byte would stand', () =>
    expect(commandsIn("$'rm\\0y' -rf x")).toEqual([wanted]))

  it('looks into quotes that arithmetic would run', () => {
    for (const line of [`test -v 'a[$(rm -rf x)]'`, `let 'a[\`rm -rf x\`]'`, `x='a[$(rm -rf x)]'; (( x ))`]) {
      expect(commandsIn(line)).toContain(wanted)
      expect(obstaclesIn(line)).toContain('dynamic-script')
    }
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
