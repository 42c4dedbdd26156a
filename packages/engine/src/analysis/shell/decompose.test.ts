import { describe, expect, it } from 'vitest'
import { decompose } from './index.ts'
import { commandsIn, obstaclesIn } from './showing.test.ts'

describe('given a line of literal commands', () => {
  it('tells words, as they are written and where they stand', () => {
    const line = `cd a && git commit -m "it's \\"so\\""`
    const { commands, obstacles } = decompose(line)
    expect(obstacles).toEqual([])
    expect(commands.map(({ words, span }) => [words.map(({ text }) => text), span])).toEqual([
      [
        ['cd', 'a'],
        [0, 4],
      ],
      [
        ['git', 'commit', '-m', `it's "so"`],
        [8, line.length],
      ],
    ])
    for (const { written, span } of commands.flatMap(({ words }) => words))
      expect(line.slice(...(span ?? []))).toBe(written)
  })

  it('puts commands in the order of their places', () => {
    expect(commandsIn('a "$(b)" `c`; { d | e; } & f <(g)').map((command) => command[0])).toEqual(
      'a b c d e f g'.split(' '),
    )
  })

  it.each(['', '   ', '# nothing', '\n\n'])('finds nothing in %j', (line) => {
    expect(decompose(line)).toEqual({ commands: [], obstacles: [], writes: [] })
  })

  it.each([
    ['r\\m -r\\\nf x', 'rm -rf x'],
    ['$"rm" -rf x', 'rm -rf x'],
    ["rm -rf 'x'#y", 'rm -rf x#y'],
    ['echo {a}', 'echo {a}'],
    ['echo "~" a~ \\~', 'echo ~ a~ ~'],
    ['echo "a\nb"', 'echo a\nb'],
  ])('reads %j as %j', (line, command) => {
    expect(commandsIn(line)).toEqual([command])
    expect(obstaclesIn(line)).toEqual([])
  })
})

describe('given words that are only known when they run', () => {
  it.each([
    '$x',
    '"$x"',
    '`a`',
    '*.c',
    'a?',
    '~/a',
    'b=~/c',
    '$((1 + 2))',
    '<(a)',
    '${x%.c}',
    '"$@"',
    '@(a|b)',
    '{$x,a}',
    '{a,b}',
    'a{1..3}',
  ])('says so of %s, with its place', (word) => {
    const line = `echo ${word} b`
    const { commands, obstacles } = decompose(line)
    expect(commands[0]?.words.some(({ text }) => text === null)).toBe(true)
    expect(obstacles).toContainEqual(
      expect.objectContaining({ kind: 'dynamic-word', span: [5, 5 + word.length] }),
    )
  })

  it.each(['$x a', '"$x" a', '$(a) b', '`a` b', './* a', '~/a b', '${x:-a} b', '"$HOME"/bin/a'])(
    'says of %j that the program is not known',
    (line) => {
      expect(obstaclesIn(line)).toContain('dynamic-program')
    },
  )

  it('has nothing against a value that nobody runs', () => {
    expect(obstaclesIn('now=$(date); files=(*.c); a <<E\n$x\nE')).toEqual([])
    expect(obstaclesIn('case $x in *) a;; esac; [[ $x == y ]] && a')).toEqual([])
  })
})

describe('given redirections', () => {
  const writesOf = (line: string) => decompose(line).writes.map(({ path }) => path)

  it('tells every file that is opened for writing', () => {
    expect(writesOf('a > 1.txt >> "2 .txt" >| 3 &> 4 &>> 5 <> 6 >& x7 2> 8')).toEqual(
      '1.txt,2 .txt,3,4,5,6,x7,8'.split(','),
    )
    expect(writesOf('{ a; } > 1; for i in 1; do b; done > 2; f() { c; } > 3; exec 3> 4')).toEqual(
      '1 2 3 4'.split(' '),
    )
    expect(writesOf('> 1')).toEqual(['1'])
    expect(writesOf(`sh -c 'a > 1'`)).toEqual(['1'])
  })

  it('tells no file where none is written', () => {
    expect(writesOf('a 2>&1 >&2 <&3 >&- < 1 << E\nE')).toEqual([])
    expect(writesOf('a > >(b)')).toEqual([])
  })

  it('says where it is not known, and counts a connection as a file', () => {
    expect(writesOf('a > $x > ~/b')).toEqual([null, null])
    expect(writesOf('exec 3<> /dev/tcp/host/80; cat < /dev/tcp/host/81')).toEqual([
      '/dev/tcp/host/80',
      '/dev/tcp/host/81',
    ])
  })

  it('says where they stand', () => {
    expect(decompose('a > bc').writes).toEqual([{ path: 'bc', span: [4, 6] }])
  })
})

describe('given input that is written in the line', () => {
  it.each([
    ['python3 <<E\nprint(1)\nE', 'print(1)\n'],
    [`cat <<'E'\n$x \\$y\nE`, '$x \\$y\n'],
    ['cat <<E\n\\$x \\\\ \\`\nE', '$x \\ `\n'],
    ['cat <<-E\n\ta\n\t\tb\n\tE', 'a\nb\n'],
    ['cat <<< "a b"', 'a b\n'],
  ])('tells that of %j', (line, input) => {
    expect(decompose(line).commands[0]?.input).toBe(input)
  })

  it.each(['cat <<E\n$x\nE', 'cat <<< $x', 'cat < f', 'cat 3<<E\na\nE', 'a | cat'])(
    'tells none of %j',
    (line) => {
      expect(decompose(line).commands.at(-1)).not.toHaveProperty('input')
    },
  )
})

describe('given variables', () => {
  it.each([
    'PATH=/tmp a',
    'PATH=/tmp; a',
    'LD_PRELOAD=x a',
    'GIT_SSH_COMMAND=x git fetch',
    'NODE_OPTIONS=x a',
    'export PYTHONPATH=x',
    'declare -x PATH=x',
    'readonly IFS=,',
    'http_proxy=x a',
    'npm_config_registry=x a',
    'path=(/tmp)',
    'PAGER=x git log',
    'unset PATH',
    'read PATH',
    'printf -v PATH x',
    'mapfile PATH',
    'for PATH in a; do b; done',
    ': ${PATH:=x}',
    'export "$x"',
    'declare -n ref=PATH',
    'UNHEARD_OF=1 a',
  ])('minds what %j sets', (line) => {
    expect(obstaclesIn(line)).toContain('environment')
  })

  it.each([
    'CI=1 a',
    'LC_ALL=C a',
    'x=1; a',
    'export FORCE_COLOR=0',
    'for i in 1 2; do a; done',
    'read line',
    'unset x',
  ])('does not mind %j', (line) => {
    expect(obstaclesIn(line)).not.toContain('environment')
  })

  it('minds functions and aliases', () => {
    expect(obstaclesIn('ls() { a; }; ls')).toEqual(['redefinition'])
    expect(obstaclesIn(`alias ls='a'`)).toEqual(['redefinition'])
  })
})

describe('given a line that cannot be read', () => {
  it.each([
    'a; if',
    `a; 'b`,
    'a; "b',
    'a; `b',
    'a;; b',
    'a; )',
    'a; }',
    'a; <<',
    'a; [[ b',
    'a; case x in',
    'a; ${b',
    'a\0b',
    '(',
  ])('says so of %j', (line) => {
    expect(obstaclesIn(line)).toContain('syntax')
  })

  it.each(['rm -rf x; (', 'rm -rf x\n)', 'if a; then rm -rf x', 'a $(rm -rf x', 'case x in a) rm -rf x'])(
    'finds what stands in %j all the same',
    (line) => {
      expect(commandsIn(line).some((command) => command.startsWith('rm -rf x'))).toBe(true)
      expect(obstaclesIn(line)).toContain('syntax')
    },
  )
})
