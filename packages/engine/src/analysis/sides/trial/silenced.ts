import { languageOf } from '../languages.ts'

export function canBeSilenced(path: string): boolean {
  return (
    ['javascript', 'python', 'shell'].includes(languageOf(path) ?? '') &&
    !/\.(?:vue|svelte|astro)$/u.test(path)
  )
}

interface Defined {
  readonly name: string
  readonly start: number
}

/** Names of top-level functions, classes and objects, in order. */
export function definedIn(path: string, text: string): readonly Defined[] {
  const pattern = definitions[languageOf(path) ?? '']
  if (pattern === undefined) return []
  return [...text.matchAll(pattern)].flatMap((match) => {
    const name = match.slice(1).find(Boolean)
    return name === undefined ? [] : [{ name, start: match.index }]
  })
}

const definitions: Readonly<Partial<Record<string, RegExp>>> = {
  javascript:
    /^(?:export\s+)?(?:default\s+)?(?:(?:async\s+)?function\s{0,9}\*?\s{0,9}([\w$]+)|class\s+([\w$]+)|(?:const|let|var)\s+([\w$]+)\s{0,9}(?::[^=\n]{0,200})?=\s{0,9}(?:async\b|function\b|class\b|\{|\(|[\w$]+\s{0,9}=>|Object\.)|(?:module\.)?exports\.([\w$]+)\s{0,9}=)/gmu,
  python: /^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)|^(\w+)[ \t]*=[ \t]*lambda\b/gmu,
  shell: /^[ \t]*(?:function[ \t]+([\w-]+)|([\w-]+)[ \t]*\([ \t]*\))/gmu,
}

/** Everything that a source calls, or gives a name to. */
const mentioned = /([\w$]+)\s{0,9}(?:[(:=])/gu

/** Names that would break comparing or printing the value. */
const reserved =
  /^(?:if|for|while|switch|catch|return|constructor|prototype|then|toJSON|toString|valueOf|asymmetricMatch|inspect|__\w+__)$/u

/** @returns the text with silenced functions; undefined if it defines none */
export function silence(path: string, text: string): string | undefined {
  const defined = definedIn(path, text).map(({ name }) => name)
  if (defined.length === 0 && languageOf(path) !== 'javascript') return undefined
  const names = [
    ...new Set([...text.matchAll(mentioned)].flatMap(([, name = '']) => (reserved.test(name) ? [] : name))),
  ]
  switch (languageOf(path)) {
    case 'javascript':
      return silenceJavaScript(text, defined, names)
    case 'python':
      return `${text}\n${pythonSilence(names)}`
    case 'shell':
      return `${text}\n${defined.map((name) => `${name}() { :; }\n`).join('')}`
    default:
      return undefined
  }
}

/** Returns itself for any method call. It is not a promise, but runners that require one may await it. */
function javascriptSilence(names: readonly string[]): string {
  return `function still_() { return silent_ }
function silent_() { return silent_ }
for (const name of ${JSON.stringify(names)}) for (const one of [silent_, still_]) Object.defineProperty(one, name, { value: silent_, configurable: true });
Object.defineProperty(silent_, 'then', { value: (done) => done(still_), configurable: true });
`
}

function silenceJavaScript(text: string, defined: readonly string[], names: readonly string[]): string {
  const isModule = /^[ \t]*(?:import|export)\b/mu.test(text)
  const open = text
    .replaceAll(/^((?:export\s+)?)const(?=\s+[\w$]+\s{0,9}[:=])/gmu, '$1let')
    .replaceAll(
      /^export\s+default\s+(?!(?:async\s+)?function\s{0,9}\*?\s{0,9}[\w$]|class\s+[\w$])/gmu,
      'const voice_ = ',
    )
  const ends = [
    ...(isModule ? defined : []).map((name) => `${name} = silent_;`),
    ...(open.includes('const voice_ = ') ? ['export default silent_;'] : []),
    ...(isModule
      ? []
      : [
          'for (const name of Object.keys(module.exports)) module.exports[name] = silent_;',
          "if (typeof module.exports === 'function') module.exports = silent_;",
        ]),
  ]
  return `// @ts-nocheck\n${open}\n${javascriptSilence(names)}${ends.join('\n')}\n`
}

function pythonSilence(names: readonly string[]): string {
  return `
class Silent_:
    def __call__(self, *args, **kwargs):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return True

    def __getattr__(self, name):
        if name in ${JSON.stringify(names)}:
            return self
        raise AttributeError(name)


for name_, value_ in list(globals().items()):
    if name_ != "Silent_" and callable(value_) and getattr(value_, "__module__", None) == __name__:
        globals()[name_] = Silent_()
`
}
