/** Sources in Python that could cheat the check they run under. */
import { runnerVariables, testWords, type Trace } from './trace.ts'
import { depthChange, textOf, tokensOf, pythonLexis, type Token } from './tokens.ts'

const libraries =
  /^(?:import|from) (?:.* , )?(?<module>_?pytest|pluggy|unittest|nose2?|mock|hypothesis|testfixtures|pytest_\w+)(?![\w])/u
const patches: readonly RegExp[] = [
  /^(?:pytest|_pytest|unittest|builtins|__builtins__)(?: \. \w+)+ = /u,
  /^(?:\w+ \. )*TestCase \. \w+ = /u,
  /^sys \. modules \[ (?!.*__(?:name|package)__).* \] = /u,
  /\bsys \. modules \. (?:update|setdefault|__setitem__) \(/u,
  /\bsetattr \( (?:pytest|_pytest|unittest|builtins|__builtins__|sys \. modules|(?:\w+ \. )*TestCase)\b/u,
  /\bsys \. (?:meta_path|path_hooks) (?:\. (?:insert|append|extend) \(|= |\[)/u,
  /\bsys \. (?:excepthook|settrace|setprofile|exit|stdlib_module_names) = /u,
  /\bos \. _exit = |\b__import__ = |\bgc \. get_(?:objects|referrers) \(|\bctypes \. pythonapi\b/u,
  /\b(?:sys|threading) \. (?:settrace|setprofile)(?:_all_threads)? \( (?!None \))|\bsys \. monitoring \. (?:register_callback|set_events) \(/u,
  /[(,] os \. _exit [,)]/u,
  /^(?:async )?def pytest_\w+ \(|^pytest_\w+ (?:: [^=]+)?= /u,
]
const stackReads =
  /\b(?:inspect \. (?:stack|currentframe|getouterframes)|sys \. _getframe|traceback \. (?:extract|walk)_stack|sys \. _current_frames) \(|\bsys \. (?:argv|orig_argv)\b|\b__main__\b/u

/** A module that is loaded by a call where it is used. */
const loadedInPlace = /\b(?:__import__|(?:importlib \. )?import_module) \( ["'](\w+)["'] \)/gu
const hiddenReads: readonly RegExp[] = [
  /\b(?:__import__|import_module) \( ["']sys["'] \) \. (?:argv|orig_argv|modules|_getframe)\b/u,
  /\bexists \( (?:\w+ \( )?["'](?:\.\/)?tests?(?:\/[^"']*)?["']|\bPath \( ["'](?:\.\/)?tests?(?:\/[^"']*)?["'] \) \. (?:exists|is_dir|is_file) \(/u,
  /\bisdir \( ["'](?:\.\/)?tests?(?:\/[^"']*)?["']|\bisfile \( ["'](?:\.\/)?tests?\/[^"']*["']/u,
  /\/proc\/.*\bgetppid\b/u,
]
const runners = /pytest|unittest/u

export function pythonTraces(text: string): readonly Trace[] {
  const statements = pythonTree(text)
  const loaded = everyStatement(
    statements.filter((one) => !/^if (?:typing \. )?TYPE_CHECKING$|^if __name__ == /u.test(one.text)),
  )
  const hasFork = loaded.some(({ text: source }) => /\bfork(?:pty)? \(/u.test(source))
  return [
    ...loaded.flatMap((statement) => [
      ...importAt(statement),
      ...patchAt(statement),
      ...equalityAt(statement),
      ...awarenessAt(statement),
      ...(hasFork ? [] : exitAt(statement)),
    ]),
    ...unitsOf(statements).flatMap(callerReadAt),
    ...loadedAlone(statements).flatMap(endAt),
    ...redefinitions(statements),
    ...forgedByteCode(loaded),
  ]
}

function importAt({ line, text }: Statement): readonly Trace[] {
  const module = libraries.exec(text)?.groups?.['module']
  return module === undefined ? [] : [{ rule: 'source.test-library', line, text: module }]
}

function patchAt({ line, text }: Statement): readonly Trace[] {
  const direct = text.replaceAll(loadedInPlace, '$1')
  return patches.some((pattern) => pattern.test(direct))
    ? [{ rule: 'source.patches-runner', line, text }]
    : []
}

/** `os._exit(0)`: nothing that stands behind it is run, and nobody is told. */
function exitAt({ line, text }: Statement): readonly Trace[] {
  return /\b_exit \( (?:0 )?\)/u.test(text) ? [{ rule: 'source.patches-runner', line, text }] : []
}

/** Statements that run while the module is loaded. */
function loadedAlone(statements: readonly Statement[]): readonly Statement[] {
  return statements.flatMap((statement) =>
    /^(?:(?:async )?def|class|if __name__) /u.test(statement.text)
      ? []
      : [statement, ...loadedAlone(statement.children)],
  )
}

function endAt({ line, text }: Statement): readonly Trace[] {
  const isEnd = /^(?:sys \. exit|exit|quit) \( (?:0 )?\)|^raise SystemExit(?: \( (?:0 )?\))?$/u.test(text)
  return isEnd ? [{ rule: 'source.patches-runner', line, text }] : []
}

function equalityAt({ line, text, children }: Statement): readonly Trace[] {
  const answer = /^def __(?:eq|instancecheck|subclasscheck)__\b/u.test(text)
    ? 'True'
    : /^def __ne__\b/u.test(text)
      ? 'False'
      : undefined
  const isBlind =
    (answer !== undefined && new RegExp(`^(?:".*?" ; )?return ${answer}$`, 'u').test(blockText(children))) ||
    /^(?:\w+ \. )*__eq__ = lambda [^:]*: True$/u.test(text) ||
    /["']__eq__["'] [:,] lambda [^:]*: True(?: [,)}]|$)/u.test(text)
  return isBlind ? [{ rule: 'source.equality-blind', line, text: `${text} : ${blockText(children)}` }] : []
}

function awarenessAt({ line, text, tokens }: Statement): readonly Trace[] {
  const variable = tokens.find((token) => runnerVariables.test(token.text.replaceAll(/^\w*["']|["']$/gu, '')))
  if (variable?.text.includes('PYTEST') === true)
    return [{ rule: 'source.test-aware', line, text: variable.text }]
  const isLoaded =
    /["'](?:pytest|unittest|_pytest|nose)(?:\.\w+)*["'] (?:not )?in sys \. modules|sys \. modules \. get \( ["'](?:pytest|unittest)/u.test(
      text,
    )
  const isHidden = hiddenReads.some((pattern) => pattern.test(text)) || isPutTogether(text)
  return isLoaded || isHidden ? [{ rule: 'source.test-aware', line, text }] : []
}

/** `"_py" + "test"`: the name of a runner that stands in no piece of it. */
function isPutTogether(text: string): boolean {
  const sums = text.matchAll(/(?:"[^"]*"|'[^']*')(?: \+ (?:"[^"]*"|'[^']*'))+/gu)
  return [...sums].some(([sum]) => {
    const pieces = sum.split(' + ').map((piece) => piece.slice(1, -1))
    return runners.test(pieces.join('')) && !pieces.some((piece) => runners.test(piece))
  })
}

/** Names byte code; to skip it, to match it and to clean it away is usual. */
const byteCode = /__pycache__|\.pyc\b|\bcache_from_source\b|\bSourcelessFileLoader\b/u
const skipsByteCode =
  /\bin\b|[!=]=|\b(?:endswith|f?n?match|ignore\w*|exclude\w*|skip\w*|rmtree|unlink|remove|r?glob)\b/iu
const writes =
  /["'](?:[wax]\+?b|[wax]b\+|r\+b|rb\+)["']|\bwrite_bytes\b|\bmarshal\b|\bpy_compile\b|\bcfile\b|\bO_WRONLY\b|\bos \. (?:replace|rename|utime|link|symlink)\b|\bshutil \. (?:copy(?:file|2)?|move)\b/u

/** Written while the check runs, byte code takes the place of the source that everybody reads. */
function forgedByteCode(loaded: readonly Statement[]): readonly Trace[] {
  const names = loaded.find(
    ({ text, tokens }) =>
      byteCode.test(text) &&
      !(tokens.length === 1 && tokens[0]?.kind === 'string') &&
      (writes.test(text) || !skipsByteCode.test(text)),
  )
  if (names === undefined || !loaded.some(({ text }) => writes.test(text))) return []
  return [{ rule: 'source.patches-runner', line: names.line, text: names.text }]
}

type Unit = Pick<Statement, 'line' | 'text'>

/** Each function, and each statement beside them. */
function unitsOf(statements: readonly Statement[]): readonly Unit[] {
  return statements.flatMap((statement): readonly Unit[] => {
    if (statement.text.startsWith('class ')) return unitsOf(statement.children)
    return [{ line: statement.line, text: `${statement.text} { ${blockText(statement.children)} }` }]
  })
}

/** The stack or the command line, looked at for words of tests, or for the variables of a caller. */
function callerReadAt({ line, text }: Unit): readonly Trace[] {
  const asks = stackReads.exec(text)?.[0]
  if (asks === undefined) return []
  const words = [...text.matchAll(/"((?:[^"\\\n]|\\.){1,60})"/gu)].map((match) => match[1] ?? '')
  const word = words.find((one) => !one.includes(' ') && testWords.test(one))
  if (word === undefined && !(/frame|stack/u.test(asks) && /\bf_locals\b/u.test(text))) return []
  return [{ rule: 'source.test-aware', line, text: `${asks} and ${word ?? 'f_locals'}` }]
}

interface Statement {
  readonly line: number
  /** Without the body of a compound statement. */
  readonly tokens: readonly Token[]
  /** Normalised source of `tokens`. */
  readonly text: string
  readonly children: Statement[]
}

interface LogicalLine {
  readonly indent: number
  readonly tokens: readonly Token[]
}

/** Never throws. */
function pythonTree(text: string): readonly Statement[] {
  const tokens = tokensOf(text, pythonLexis)
  const indents = text
    .split('\n')
    .map((row) => /^[ \t\f]*/u.exec(row)?.[0].replaceAll('\t', '        ').length ?? 0)
  return nest(logicalLines(tokens, indents))
}

function logicalLines(tokens: readonly Token[], indents: readonly number[]): readonly LogicalLine[] {
  const lines: LogicalLine[] = []
  let current: Token[] = []
  let depth = 0
  const finish = () => {
    const first = current[0]
    if (first !== undefined) lines.push({ indent: indents[first.line - 1] ?? 0, tokens: current })
    current = []
  }
  for (const token of tokens) {
    if (token.kind === 'comment') continue
    depth += depthChange(token)
    if (token.kind === 'newline') {
      if (depth <= 0) finish()
    } else if (token.text === ';' && depth <= 0) {
      const indent = indents[(current[0] ?? token).line - 1] ?? 0
      if (current.length > 0) lines.push({ indent, tokens: current })
      current = []
    } else current.push(token)
  }
  finish()
  return lines
}

function nest(lines: readonly LogicalLine[]): readonly Statement[] {
  const root: Statement[] = []
  const open: { readonly indent: number; readonly statement: Statement }[] = []
  for (const { indent, tokens } of lines) {
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
    const statement = statementOf(tokens)
    const siblings = open.at(-1)?.statement.children ?? root
    siblings.push(statement)
    open.push({ indent, statement })
  }
  return root
}

const compound = /^(?:if|elif|else|for|while|try|except|finally|with|def|class|async|match|case)$/u

/** A body on the line of its header becomes a child. */
function statementOf(tokens: readonly Token[]): Statement {
  const colon = compound.test(tokens[0]?.text ?? '') ? headerEnd(tokens) : -1
  const header = colon === -1 ? tokens : tokens.slice(0, colon)
  const rest = colon === -1 ? [] : tokens.slice(colon + 1)
  const line = tokens[0]?.line ?? 1
  return { line, tokens: header, text: textOf(header), children: rest.length > 0 ? [statementOf(rest)] : [] }
}

function headerEnd(tokens: readonly Token[]): number {
  let depth = 0
  let lambdas = 0
  return tokens.findIndex((token) => {
    depth += depthChange(token)
    if (token.text === 'lambda' && depth === 0) lambdas += 1
    if (token.text !== ':' || depth !== 0) return false
    lambdas -= 1
    return lambdas < 0
  })
}

/** Normalised source of a block, its nesting included. Docstrings do not count. */
function blockText(statements: readonly Statement[]): string {
  return statements
    .filter((statement) => statement.tokens.length !== 1 || statement.tokens[0]?.kind !== 'string')
    .map(({ text, children }) => (children.length === 0 ? text : `${text} { ${blockText(children)} }`))
    .join(' ; ')
}

/** The statement and all below it, in order. */
function everyStatement(statements: readonly Statement[]): readonly Statement[] {
  return statements.flatMap((statement) => [statement, ...everyStatement(statement.children)])
}

const modules =
  /^(?:math|cmath|datetime|json|re|os|posixpath|functools|operator|itertools|collections|copy|decimal|fractions|statistics|random|time|io|inspect|types|typing|string|textwrap|difflib|pathlib|tempfile|subprocess|contextlib|enum|dataclasses|numbers|hashlib|base64|traceback|numpy|pandas)$/u
/** Written by modules as their documentation says. */
const settings = /^(?:decimal \. \w*Context\b|pandas \. options\b|os \. environ\b)/u
const builtins =
  '(?:round|abs|len|isinstance|issubclass|sorted|sum|all|any|repr|hasattr|getattr|callable|zip|enumerate)'
const redefined: readonly RegExp[] = [
  new RegExp(`^(?:async )?def ${builtins} \\(`, 'u'),
  new RegExp(`^${builtins} (?:: [^=]+)?= `, 'u'),
  new RegExp(`^from .* import (?:.* )?as ${builtins}(?: ,|$| \\))`, 'u'),
]

function redefinitions(statements: readonly Statement[]): readonly Trace[] {
  const names = importedNames(statements)
  return [
    ...topLevel(statements).filter(({ text }) => redefined.some((pattern) => pattern.test(text))),
    ...patchesIn(statements, names),
  ].map(({ line, text }): Trace => ({ rule: 'source.patches-runner', line, text }))
}

/** What runs while the module is loaded, outside of functions and classes. */
function topLevel(statements: readonly Statement[]): readonly Statement[] {
  return statements.flatMap((one) =>
    /^(?:(?:async )?def|class) /u.test(one.text) ? [one] : [one, ...topLevel(one.children)],
  )
}

/** Local names of standard modules and of their classes. */
function importedNames(statements: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { text } of everyStatement(statements)) {
    const [, module = '', imported] =
      /^from (\w+)(?: \. \w+)* import (?:\( )?(.*?)(?: \))?$/u.exec(text) ?? []
    const pieces = (imported ?? /^import (.*)$/u.exec(text)?.[1] ?? '').split(' , ')
    for (const piece of pieces) {
      const [, name = '', alias] = /^(\w+)(?: \. \w+)*(?: as (\w+))?$/u.exec(piece) ?? []
      const isPatchable =
        imported === undefined ? modules.test(name) : modules.test(module) && /^(?:[A-Z]|path$)/u.test(name)
      if (isPatchable) names.add(alias ?? name)
    }
  }
  return names
}

/** Attributes that are set, with assignments and `setattr`; a function whose own name it is says nothing of the module. */
function patchesIn(statements: readonly Statement[], names: ReadonlySet<string>): readonly Statement[] {
  return statements.flatMap((one) => {
    const inside =
      one.text.startsWith('def ') || one.text.startsWith('async def ') ? without(names, one) : names
    const name = /^(\w+) (?:\. \w+ )+(?:: [^=]+)?= |^setattr \( (\w+)\b/u.exec(one.text)
    const isPatch = names.has(name?.[1] ?? name?.[2] ?? '') && !settings.test(one.text)
    return [...(isPatch ? [one] : []), ...patchesIn(one.children, inside)]
  })
}

function without(names: ReadonlySet<string>, unit: Statement): ReadonlySet<string> {
  const own = new Set(unit.tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text))
  for (const { text } of everyStatement(unit.children)) {
    const bound = /^(\w+) (?:: [^=]+)?= |^(?:async )?for (.*) in |^with .* as (\w+)/u.exec(text)
    for (const name of bound?.slice(1).join(' ').split(/\W+/u) ?? []) own.add(name)
  }
  return new Set([...names].filter((name) => !own.has(name)))
}
