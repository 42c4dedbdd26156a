/** What the words of one simple command say of it: a run of tests, of a program, a change, a look. */

/** Words in front that change nothing about which command it is. */
const transparentWords: readonly RegExp[] = [
  /^\w+=\S*$/,
  /^(?:sudo|env|time|nohup|exec|command|npx|bunx|stdbuf|nice|xvfb-run|caffeinate|if|then|else|do|while|!)$/,
  /^(?:poetry|uv|pipenv|pdm|hatch|rye) run$/,
  /^(?:bundle|pnpm|npm|yarn|bun) (?:exec|x|dlx)$/,
  /^g?timeout (?:-\S+ )*[\d.]+[smh]?$/,
  /^(?:python[\d.]* -m )?coverage run(?: -[\w-]+(?:=\S+)?)*$/,
]
const longestFront = 5

/** The words of the command itself, its program without its folder. */
export function bareWords(words: readonly string[]): readonly string[] {
  for (let count = Math.min(longestFront, words.length - 1); count > 0; count -= 1) {
    const front = words.slice(0, count).join(' ')
    if (transparentWords.some((pattern) => pattern.test(front))) return bareWords(words.slice(count))
  }
  return words
}

/** The whole of a command, to be compared with patterns: a program is told by its name, not by its folder. */
const testCommands: readonly RegExp[] = [
  /^(?:\S*\/)?(?:py\.?test|tox|nox|nosetests|nose2|trial|stestr)\b/,
  /^(?:\S*\/)?python[\d.]* (?:-\w+ )*-m (?:pytest|unittest|nose|nose2|tox|nox|twisted\.trial|doctest)\b/,
  /^(?:(?:\S*\/)?python[\d.]* (?:-\w+ )*)?\S*\b(?:runtests?|run_tests?)(?:\.(?:py|sh|js))?(?:\s|$)/,
  /^(?:(?:\S*\/)?python[\d.]* (?:-\w+ )*)?(?:\S*\/)?(?:manage\.py|django-admin) test\b/,
  /^(?:(?:\S*\/)?python[\d.]* (?:-\w+ )*)?\S*setup\.py test\b/,
  /^(?:(?:\S*\/)?python[\d.]* (?:-\w+ )*)?(?:\.\/)?bin\/(?:test|doctest)\b/,
  /^(?:npm|pnpm|yarn|bun) (?:run |run-script )?(?:t|tests?(?::[\w:-]+)?)(?:\s|$)/,
  /^(?:\S*\/)?(?:jest|vitest|mocha|ava|tap|karma|jasmine|qunit)(?:\.js)?(?:\s|$)/,
  /^(?:\S*\/)?node (?:\S+ )*--test\b/,
  /^(?:deno|go|cargo|dotnet|swift|flutter|dart|mix|lein|sbt|bazel|zig|stack|cabal|composer|ng) (?:\+\S+ )?test\b/,
  /^cargo nextest\b/,
  /^(?:playwright test|cypress run)\b/,
  /^(?:\S*\/)?(?:mvnw?|mvn) (?:\S+ )*(?:test|verify|surefire:test)\b/,
  /^(?:\S*\/)?gradlew? (?:\S+ )*\S*(?:test|check)\b/i,
  /^(?:make|gmake|just|task|rake|ninja|meson|ant) (?:\S+ )*(?:tests?|check|spec)(?:\s|$)/,
  /^(?:\S*\/)?(?:ctest|rspec|phpunit|pest|prove|busted|bats)\b/,
]
/** Asks about a runner, or collects, and runs nothing. */
const runsNothing = /\s(?:--(?:version|help|collect-only|co|listTests|list|fixtures)|-h)(?:\s|$)/

export function isTestCommand(words: readonly string[]): boolean {
  const line = words.join(' ')
  return !runsNothing.test(line) && testCommands.some((command) => command.test(line))
}

const testFile = /(?:^|[\w/.-])\w[\w.-]*\.(?:[cm]?[jt]sx?|py|rb|php|java|go|exs?|sh|bats)$/i
const namesModules = /\bunittest\b|\bruntests?\b|manage\.py test|django-admin test/
const moduleName = /^[a-z_]\w*(?:\.\w+)*$/i
const runner = /runtests?|run_tests?|manage\.py|setup\.py/

/** The files or modules that a run of tests names, without what it picks inside of them; empty: all that there are. */
export function testTargets(words: readonly string[]): readonly string[] {
  const isModular = namesModules.test(words.join(' '))
  return words
    .slice(1)
    .map((word) => word.replace(/(?:::|\[).*$/s, '').replace(/:\d+$/, ''))
    .filter(
      (word) => testFile.test(word) || (isModular && moduleName.test(word) && !asideWords.includes(word)),
    )
    .filter((word) => !word.startsWith('-') && !runner.test(word))
}

/** The file that runs the tests, which the drive may have written itself. Null: a program that is installed. */
export function testRunner(words: readonly string[]): string | null {
  return words.slice(0, 3).find((word) => runner.test(word)) ?? null
}

const asideWords: readonly string[] = ['unittest', 'discover', 'test']

const interpreter =
  /^(?:\S*\/)?(?:python[\d.]*|node|nodejs|ruby|perl|php|deno|bun|ts-node|tsx|bash|sh|zsh|Rscript|lua)$/
const script = /\.(?:py|[cm]?[jt]s|rb|pl|php|sh|R|lua)$/

/** A program that is run: a file, or a text that the command brings along. Undefined: it runs none that is known. */
export type ProgramRun =
  { readonly kind: 'file'; readonly path: string } | { readonly kind: 'text'; readonly text: string }

export function programOf(words: readonly string[], input: string | undefined): ProgramRun | undefined {
  const [first = '', ...rest] = words
  if (!interpreter.test(first))
    return /^\.{0,2}\//.test(first) && script.test(first) ? { kind: 'file', path: first } : undefined
  const at = rest.findIndex((word) => !word.startsWith('-') && word !== 'run')
  const options = at === -1 ? rest : rest.slice(0, at)
  if (options.some((word) => /^-(?:\w?c|e|p|r|pe|-eval|-print)$/.test(word)))
    return { kind: 'text', text: rest[at] ?? '' }
  if (options.includes('-m') || (at === -1 && input === undefined)) return undefined
  return at === -1 ? { kind: 'text', text: input ?? '' } : { kind: 'file', path: rest[at] ?? '' }
}

/** A program that writes files, as far as its text says. */
const writingText =
  /\.write(?:_text|_bytes|lines|FileSync|File)?\(|\bopen\([^)]*['"][wax]\+?b?['"]|\bfs\.\w*(?:write|append)|File\.write|file_put_contents|shutil\.(?:copy|move)|os\.(?:rename|replace)/

export function isWritingText(text: string): boolean {
  return writingText.test(text)
}

/** Programs that show, and change no file. */
const looking =
  /^(?:grep|egrep|fgrep|rg|ag|ack|cat|nl|head|tail|less|more|ls|ll|dir|find|fd|tree|wc|stat|file|diff|cmp|sort|uniq|cut|tr|column|awk|gawk|jq|yq|od|xxd|hexdump|strings|md5sum|sha\d*sum|pwd|cd|pushd|popd|which|whereis|type|env|printenv|export|unset|set|source|\.|conda|alias|echo|printf|true|false|:|test|\[|\[\[|date|whoami|id|uname|hostname|ps|top|df|du|free|sleep|wait|history|clear|seq|basename|dirname|realpath|readlink|xargs|exit|fi|done|esac|for|case|read|mkdir|chmod|tput|man|bat|open|goto|scroll_down|scroll_up|search_dir|search_file|find_file)$/
const lookingGit =
  /^git (?:-\S+ )*(?:status|diff|log|show|blame|branch|grep|rev-parse|rev-list|ls-files|ls-tree|describe|remote|config|add|commit|fetch|tag|shortlog|cat-file|push)\b/
const lookingAny =
  /(?:^| )--?(?:version|help)$|^(?:pip[\d.]*|python[\d.]* -m pip|npm|yarn|conda) (?:show|list|freeze|ls|view|info|search)\b/

export function isLookingCommand(words: readonly string[]): boolean {
  const [first = ''] = words
  const line = words.join(' ')
  if (first === 'sed' || first === 'perl') return first === 'sed' && !isInPlace(words)
  if (first === 'find') return !/ -(?:delete|exec)\b/.test(line)
  return looking.test(first) || lookingGit.test(line) || lookingAny.test(line)
}

function isInPlace(words: readonly string[]): boolean {
  return words.some((word) => /^-(?:[a-zA-Z]*i|-in-place)/.test(word))
}

const formatting =
  /^(?:\S*\/)?(?:black|isort|autopep8|yapf|prettier|eslint|ruff|gofmt|goimports|rustfmt|clang-format|biome|standard)\b/
const changingGit =
  /^git (?:-\S+ )*(?:apply|am|checkout|restore|reset|revert|stash|merge|rebase|cherry-pick|pull|mv|rm|clean|switch)\b/

/** Files that a command changes; empty: some, nobody knows which. Undefined: it is not known to change any. */
export function filesChangedBy(words: readonly string[]): readonly string[] | undefined {
  const [first = '', ...rest] = words
  const line = words.join(' ')
  const operands = rest.filter((word) => !word.startsWith('-'))
  if (first === 'sed' || first === 'perl') return isInPlace(words) ? operands.slice(1) : undefined
  if (['mv', 'cp', 'install', 'ln'].includes(first)) return operands.slice(-1)
  if (first === 'tee' || first === 'touch' || first === 'truncate') return operands
  if (first === 'patch' || first === 'apply_patch' || first === 'ed' || first === 'ex') return []
  if (changingGit.test(line) && !/ --(?:check|stat|numstat)\b| stash list/.test(line)) return []
  const isFormatter = formatting.test(line) && !/ --(?:check|diff)\b/.test(line)
  return isFormatter && /^\S*(?:black|isort|yapf)|(?: -w| -i| --fix| --write| format)\b/.test(line)
    ? operands
    : undefined
}

/** Undefined: it takes no file away. */
export function filesRemovedBy([first = '', ...rest]: readonly string[]): readonly string[] | undefined {
  return ['rm', 'rmdir', 'unlink'].includes(first) ? rest.filter((word) => !word.startsWith('-')) : undefined
}
