import { optionTable, type OptionTable } from './started.ts'

/** How a program is called that runs another one. */
export interface Wrapper {
  readonly options: OptionTable
  /** Words of its own before those that it runs. Default 0. */
  readonly operands: number
  /** `NAME=value` may stand before the program. */
  readonly takesVariables: boolean
  /** It only starts the other one. */
  readonly isTransparent: boolean
  /** Why what it runs is not run here and now as this user: the end of a sentence that begins with its name. */
  readonly elsewhere?: string
  /** Options whose value is a text for a shell. */
  readonly scripts: readonly string[]
  /** What it runs: words, or words that are joined and read by a shell, or nothing but `scripts`. */
  readonly runs: 'words' | 'joined' | 'scripts'
  /** Without words it runs what stands in its input. */
  readonly readsInput: boolean
  /** Words behind the program's are the program's, and it reports to where it would without it. */
  readonly leavesReport: boolean
}

/** A wrapper is plain by default: it only starts the words behind its options. */
function wrapper(options: string, more: Partial<Omit<Wrapper, 'options'>> = {}): Wrapper {
  const plain = {
    operands: 0,
    takesVariables: false,
    isTransparent: true,
    scripts: [],
    runs: 'words',
    readsInput: false,
    leavesReport: false,
  } as const
  return { ...plain, options: optionTable(options), ...more }
}

function away(options: string, elsewhere: string, more: Partial<Omit<Wrapper, 'options'>> = {}): Wrapper {
  return wrapper(options, { isTransparent: false, elsewhere, ...more })
}

function changing(options: string, more: Partial<Omit<Wrapper, 'options'>> = {}): Wrapper {
  return wrapper(options, { isTransparent: false, ...more })
}

const reports = { leavesReport: true } as const
const otherRights = 'runs it with other rights'
const otherPlace = 'runs it in another place'
const sudoOptions =
  'A b B E e H h i K k l N n P S s v V askpass background bell edit help login list non-interactive preserve-env preserve-groups ' +
  'remove-timestamp reset-timestamp set-home shell stdin validate version C: D: g: p: R: r: T: t: U: u: a: c: chdir: chroot: ' +
  'close-from: command-timeout: group: host: other-user: prompt: role: type: user:'
const timeout = wrapper('f p v foreground preserve-status verbose k: s: kill-after: signal:', {
  operands: 1,
  ...reports,
})
const time = wrapper('a p q v append portability quiet verbose f: format: o:! output:!', reports)
const su =
  'f l m p P - fast login preserve-environment pty c: command: session-command: g: G: group: supp-group: s: shell: w: whitelist-environment: u: user:'

const ofSu = { scripts: ['c', 'command', 'session-command'], readsInput: true } as const

/** Words of its input are put behind, or into, those that are written. */
export const xargs: Wrapper = away(
  '0 null a: arg-file: d: delimiter: E: e eof I: i l L: max-lines n: max-args: o open-tty P: max-procs: p interactive ' +
    'process-slot-var: r no-run-if-empty replace s: max-chars: show-limits t verbose x exit J: R: S:',
  'runs it with words of its input',
)

/** By the name of the program. */
const wrappers: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries({
    env: wrapper(
      '-! i! ignore-environment! 0 null v debug list-signal-handling u:! unset:! C:! chdir:! P:! a:! argv0:! S:! split-string:! ' +
        'block-signal default-signal ignore-signal',
      { takesVariables: true, ...reports },
    ),
    nice: wrapper('# n: adjustment:', reports),
    ionice: wrapper('t ignore c: class: n: classdata: p:! P:! u:!', reports),
    chrt: wrapper('a b d f i m o r v R T: P: D:', { operands: 1 }),
    taskset: wrapper('a p! c cpu-list', { operands: 1 }),
    nohup: wrapper(''),
    setsid: wrapper('c ctty f fork w wait'),
    stdbuf: wrapper('i: input: o: output: e: error:', reports),
    unbuffer: wrapper('p'),
    time,
    gtime: time,
    timeout,
    gtimeout: timeout,
    command: wrapper('p', reports),
    builtin: wrapper(''),
    exec: wrapper('c! l! a:!', reports),
    noglob: wrapper('', reports),
    nocorrect: wrapper(''),
    xargs,
    repeat: wrapper('', { operands: 1 }),
    chronic: wrapper('v e'),
    caffeinate: wrapper('d i m s u t: w:', reports),
    flock: changing(
      'e x s u n o E: w: F c: exclusive shared unlock nonblock close no-fork conflict-exit-code: timeout: wait: verbose command:',
      { operands: 1, scripts: ['c', 'command'] },
    ),
    valgrind: changing('q v'),
    'dbus-launch': changing('autolaunch: exit-with-session sh-syntax csh-syntax auto-syntax'),
    screen: changing('d D m r R x q U A L S: t: c: h: s: e: p: T: X: Logfile:'),
    entr: changing('a c d n p r s z'),
    chpst: changing('v P 0 1 2 u: U: b: /: C: n: l: L: m: d: o: p: f: c: r: t: e:'),
    cpulimit: changing('v z i q m l: p: e: c: limit: exe: pid: cpu: include-children'),
    daemonize: changing('a v c: e: E: o: p: l: u:'),
    faketime: changing('m f', { operands: 1 }),
    watchexec: changing('c n r N p q v w: e: f: i: s: d: watch: exts: filter: ignore: signal: shell:'),
    nodemon: changing('q V x: exec: e: ext: w: watch: i: ignore: d: delay: s: signal:', {
      scripts: ['x', 'exec'],
    }),
    numactl: changing('a b s H i: p: m: N: C: l'),
    cgexec: changing('g: sticky'),
    'systemd-inhibit': changing('list no-pager no-legend what: who: why: mode:'),
    tini: changing('g s v w p: e:'),
    'dumb-init': changing('c v single-child verbose rewrite:'),
    gosu: away('', otherRights, { operands: 1 }),
    'su-exec': away('', otherRights, { operands: 1 }),
    runcon: away('c u: r: t: l:', otherRights, { operands: 1 }),
    strace: changing(
      'c C d D f F h i k n q r t T v V w x y z Z a: b: e: E: I: o: O: p: P: s: S: u: U: X: follow-forks output: trace: user:',
    ),
    ltrace: changing('c C f h i L r S t T V a: A: D: e: F: l: n: o: p: s: u: x: output:'),
    watch: changing(
      'b c d e g p r t w x beep color differences errexit chgexit precise no-rerun no-title no-wrap exec n: interval: q: equexit: s: shotsdir:',
      { runs: 'joined' },
    ),
    sudo: away(sudoOptions, otherRights, { takesVariables: true, readsInput: true }),
    doas: away('L n s a: C: u:', otherRights, { takesVariables: true, readsInput: true }),
    pkexec: away('disable-internal-agent keep-cwd user:', otherRights),
    su: away(su, otherRights, { runs: 'scripts', ...ofSu }),
    runuser: away(su, otherRights, ofSu),
    sg: away('c:', otherRights, { operands: 1, runs: 'joined', scripts: ['c'] }),
    setpriv: away('', otherRights),
    chroot: away('skip-chdir groups: userspec:', otherPlace, { operands: 1 }),
    unshare: away(
      'i m n p u U C T f r c mount uts ipc net pid user cgroup time fork map-root-user map-current-user R: S: G: w: root: wd: setuid: setgid:',
      otherPlace,
    ),
    nsenter: away('a m u i n p C U T r w F t: S: G: target: setuid: setgid:', otherPlace),
    bwrap: away('', otherPlace),
    firejail: away('', otherPlace),
    'systemd-run': away(
      'P t q G r d S user system scope pty pipe wait collect same-dir shell p: u: E: property: unit: setenv: uid: gid: slice: on-active: on-calendar:',
      otherPlace,
    ),
    at: away('b d l m M r v V c f: q: t:', 'runs its input later', { runs: 'scripts', readsInput: true }),
    batch: away('', 'runs its input later', { runs: 'scripts', readsInput: true }),
    npx: changing(
      'y q yes no quiet prefer-offline ignore-existing p: package: c: call: w: workspace: cache: userconfig:',
      { scripts: ['c', 'call'], ...reports },
    ),
    pnpx: changing('p: package: c shell-mode', reports),
    bunx: changing('bun verbose silent p: package:', reports),
    'cross-env': changing('', { takesVariables: true, ...reports }),
    'cross-env-shell': changing('', { takesVariables: true, runs: 'joined' }),
    dotenv: changing('e: c: v: p: o override f: file:'),
    'xvfb-run': changing(
      'a l auto-servernum e: f: n: p: s: w: server-args: server-num: error-file: auth-file:',
      reports,
    ),
    'dbus-run-session': changing('config-file: dbus-daemon:'),
    fakeroot: changing('u i: s: b: l:'),
    proxychains4: changing('q f:'),
    torsocks: changing('i q'),
    rlwrap: changing('a A c r f: H: p: s:'),
    'with-cwd': changing(''),
    c8: changing('all clean r: reporter: o: reports-dir: n: include: x: exclude:', { leavesReport: true }),
    nyc: changing('all silent s r: reporter: n: include: x: exclude: report-dir: cwd: require:', {
      leavesReport: true,
    }),
    'nix-shell': changing('p pure run: command: A: I:', { runs: 'scripts', scripts: ['run', 'command'] }),
    script: changing(
      'a e f q append flush quiet return c: command: E: echo: I: O: B: T: m: t timing log-in: log-out: log-io:',
      { operands: 1, scripts: ['c', 'command'] },
    ),
    jobs: changing('x'),
    ld: changing('library-path: preload: argv0: inhibit-cache list verify audit:'),
    linux32: wrapper(''),
    linux64: wrapper(''),
    setarch: wrapper(
      'R v B F I L S T X Z 3 addr-no-randomize verbose 32bit fdpic-funcptrs short-inode addr-compat-layout whole-seconds sticky-timeouts read-implies-exec mmap-page-zero 3gb 4gb uname-2.6',
    ),
    'ssh-agent': changing('c s D d k a: E: O: P: t:'),
    eatmydata: wrapper(''),
    proxychains: changing('q f:'),
    ifne: changing('n'),
    prlimit: wrapper('c d e f i l m n q r s t u v x y p:! pid:!'),
    coproc: wrapper(''),
  } satisfies Record<string, Wrapper>),
)

const managerOptions = 'y yes r recursive c: call: p: package: w: workspace: F: filter: C: dir: prefix:'

/** Programs that run another one behind these words of their own. npm reads options behind the program as its own. */
const runners: readonly (readonly [program: RegExp, behind: RegExp, wrapper: Wrapper])[] = [
  [/^npm$/, /^(exec|x)$/, changing(managerOptions, { scripts: ['c', 'call'] })],
  [/^(pnpm|yarn|bun)$/, /^(exec|dlx|x)$/, changing(managerOptions, { scripts: ['c', 'call'], ...reports })],
  [
    /^(uv|poetry|pipenv|pdm|rye|hatch|pixi|rtx)$/,
    /^run$/,
    changing(
      'q v active frozen locked isolated no-sync no-project all-extras m: p: python: w: with: extra: group: package: project: directory: env-file: e: environment:',
      reports,
    ),
  ],
  [
    /^(perf|doppler|op|dotenvx|infisical|chamber|aws-vault|foreman|heaptrack)$/,
    /^(stat|record|trace|run|exec)$/,
    changing('a v q d g e: p: o: r: event: output: repeat: f: env-file: env: project: config: c:'),
  ],
  [/^direnv$/, /^exec$/, changing('', { operands: 1 })],
  [/^bundle$/, /^exec$/, changing('keep-file-descriptors gemfile:', reports)],
  [
    /^(mise|asdf|rbenv|pyenv|nodenv|fnm|volta|rustup|conda|mamba|micromamba|devbox|dotnet)$/,
    /^(exec|x|run)$/,
    changing('n: name: p: prefix: using: node: no-capture-output live-stream'),
  ],
  [
    /^tmux$/,
    /^(new|new-session|neww|new-window|splitw|split-window|run|run-shell|send-keys)$/,
    changing('d A D P b h v s: n: c: t: e: x: y: F: l:', { runs: 'joined' }),
  ],
]

/** May stand before the options of `setarch`. */
const architecture =
  /^(?:linux\d\d|uname26|i[3-6]86|athlon|x86_64|(?:arm|aarch|ppc|powerpc|s390|sparc|mips|parisc|alpha|ia64|riscv|loongarch)\w*)$/

export interface FoundWrapper {
  readonly wrapper: Wrapper
  /** Where its own words behind its name begin. */
  readonly from: number
  readonly through: string
}

/** How this program is called, where it is one that runs another. */
export function wrapperOf(
  name: string,
  words: readonly { readonly text: string | null }[],
): FoundWrapper | undefined {
  const wrapper = wrappers.get(name)
  // `command -v name` asks for a program, and runs none.
  if (wrapper !== undefined && !(name === 'command' && /^-\w*[vV]/.test(words[1]?.text ?? '')))
    return {
      wrapper,
      from: name === 'setarch' && architecture.test(words[1]?.text ?? '') ? 2 : 1,
      through: name,
    }
  const [, behind, runner] = runners.find(([program]) => program.test(name)) ?? []
  const at = words.findIndex(({ text }, index) => index > 0 && text?.startsWith('-') !== true)
  const verb = words[at]?.text
  if (runner === undefined || typeof verb !== 'string' || behind?.test(verb) !== true) return undefined
  return { wrapper: runner, from: at + 1, through: `${name} ${verb}` }
}
