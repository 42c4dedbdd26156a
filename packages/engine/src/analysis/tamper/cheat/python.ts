/** Sources in Python that could cheat the check they run under. */
import { blockText, everyStatement, pythonTree, type Statement } from './python-tree.ts'
import { redefinitions } from './python-redefined.ts'
import { runnerVariables, testWords, type Trace } from './trace.ts'

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
