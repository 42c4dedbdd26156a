/** Python that gives another meaning to words which tests use: standard modules, and builtins that `import *` brings along. */
import { everyStatement, type Statement } from './python-tree.ts'
import type { Trace } from './trace.ts'

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

export function redefinitions(statements: readonly Statement[]): readonly Trace[] {
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
