/** A check file that ends with an error once it has loaded what it checks: whoever runs it must see that. Pure. */

/** @returns undefined for a language of which we cannot say where its imports end */
export function breakScript(path: string, text: string): string | undefined {
  if (/\.[cm]?[jt]sx?$/u.test(path)) return insertAfter(text, endOfJavascriptImports(text), 'throw 1;\n')
  if (path.endsWith('.py'))
    return insertAfter(text, endOfPythonImports(text), 'raise SystemError("broken on purpose")\n')
  if (path.endsWith('.rb'))
    return insertAfter(text, endOfLines(text, /^\s*require/u), 'raise "broken on purpose"\n')
  if (path.endsWith('.php'))
    return insertAfter(
      text,
      endOfLines(text, /^(?:<\?php|declare\b|namespace\b|use\b|require)/u),
      "throw new Exception('broken on purpose');\n",
    )
  if (path.endsWith('.rs')) return `${text}\n#[test]\nfn broken_on_purpose() {\n    panic!();\n}\n`
  if (/\.(?:ba|z|k)?sh$/u.test(path) || /^#!.*\b(?:ba|z|k|da)?sh\b/u.test(text)) return breakShell(text)
  return undefined
}

/** A file beside this test file with which every run of the package's tests ends. Undefined: it names no package. */
export function breakGoPackage(text: string): string | undefined {
  const name = /^package\s+(\w+)/mu.exec(text)?.[1]
  return name === undefined ? undefined : `package ${name}\n\nfunc init() { panic("broken on purpose") }\n`
}

function insertAfter(text: string, lines: number, what: string): string {
  const all = text.split('\n')
  const [before, after] = [all.slice(0, lines).join('\n'), all.slice(lines).join('\n')]
  return `${before === '' || before.endsWith('\n') ? before : `${before}\n`}${what}${after}`
}

/** How many lines there are up to the last one that begins so. */
function endOfLines(text: string, pattern: RegExp): number {
  return text.split('\n').findLastIndex((line) => pattern.test(line)) + 1
}

/** An import may go over several lines; its end names the module. */
function endOfJavascriptImports(text: string): number {
  const end =
    /^(?:import\b.*['"]|\}?\s*from\s+['"]|\}\s*(?:from|=\s*(?:await\s+import|require)\()|(?:const|let|var)\b.*\b(?:require|import)\s*\(|require\s*\()/u
  const first = text.startsWith('#!') ? 1 : 0
  return Math.max(first, endOfLines(text, end), endOfLines(text, /^(?:['"]use strict['"])/u))
}

/** The last import that stands at the margin, up to its closing bracket. */
function endOfPythonImports(text: string): number {
  const lines = text.split('\n')
  const last = lines.findLastIndex((line) => /^(?:from\s+\S+\s+import\b|import\s)/u.test(line))
  if (last < 0) return endOfPythonHead(lines)
  const isOpen = (line: string): boolean => line.includes('(') && !line.includes(')')
  if (!isOpen(lines[last] ?? '')) return last + 1
  const end = lines.findIndex((line, index) => index > last && line.includes(')'))
  return end < 0 ? last + 1 : end + 1
}

/** Behind a first comment and a text that describes the module. */
function endOfPythonHead(lines: readonly string[]): number {
  const first = lines.findIndex((line) => !/^\s*(?:#|$)/u.test(line))
  const quote = /^[rRuU]?("""|''')/u.exec(lines[first] ?? '')?.[1]
  if (quote === undefined) return Math.max(first, 0)
  const isOneLine = (lines[first] ?? '').lastIndexOf(quote) > 3
  const end = lines.findIndex((line, index) => index > first && line.includes(quote))
  return isOneLine ? first + 1 : end + 1
}

/** Before its own end, where it has one. */
function breakShell(text: string): string {
  const lines = text.split('\n')
  const end = lines.findLastIndex((line) => /^(?:exit|exec)\b/u.test(line))
  return insertAfter(text, end < 0 ? lines.length : end, 'exit 97\n')
}
