/** Every name that the packages export, with what its docstring says. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { z } from 'zod'

export interface Subpath {
  /** As it is imported: `@donecheck/engine/verify`. */
  readonly specifier: string
  readonly names: readonly ExportedName[]
}

export interface ExportedName {
  readonly name: string
  readonly kind: 'function' | 'value' | 'class' | 'interface' | 'type' | 'name'
  /** The declaration without bodies, members and docstrings. */
  readonly signature: string
  readonly summary: string
  readonly throws: readonly string[]
  readonly examples: readonly string[]
  /** Of an interface or a class, private ones left out. */
  readonly members: readonly Member[]
}

export interface Member {
  readonly name: string
  readonly type: string
  readonly summary: string
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const packages = ['donecheck', 'core', 'engine', 'agents', 'server']
const manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ 'donecheck-source': z.string() })])),
})

/** From the sources: nothing needs to be built. */
export function subpaths(): readonly Subpath[] {
  const entries = packages.flatMap(entriesOf)
  const program = programOver(new Map(entries))
  const checker = program.getTypeChecker()
  return entries.map(([specifier, file]) => {
    const tree = program.getSourceFile(file)
    const door = tree === undefined ? undefined : checker.getSymbolAtLocation(tree)
    if (door === undefined) throw new TypeError(`${specifier} leads to ${file}, which exports nothing`)
    const names = checker.getExportsOfModule(door).map((symbol) => exportedName(checker, symbol))
    return { specifier, names: names.toSorted((one, other) => (one.name < other.name ? -1 : 1)) }
  })
}

function entriesOf(folder: string): readonly (readonly [string, string])[] {
  const text = readFileSync(path.join(root, 'packages', folder, 'package.json'), 'utf8')
  const { name, exports } = manifest.parse(JSON.parse(text))
  return Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string' || subpath.startsWith('./internal/')
      ? []
      : [
          [
            path.posix.join(name, subpath),
            path.join(root, 'packages', folder, target['donecheck-source']),
          ] as const,
        ],
  )
}

/** The file behind `@donecheck/PACKAGE/internal/…`. */
function internalFile(specifier: string): string | undefined {
  const [, name, inside] = /^@donecheck\/(\w+)\/internal\/(.+)$/.exec(specifier) ?? []
  if (name === undefined || inside === undefined) return undefined
  const source = path.join(root, 'packages', name, 'src', inside)
  return [`${source}/index.ts`, `${source}.ts`].find((file) => existsSync(file))
}

/** Packages of others are left out: names and docstrings of ours need none of them, and reading them takes most of the time. */
function programOver(entries: ReadonlyMap<string, string>): ts.Program {
  const options = {
    module: ts.ModuleKind.NodeNext,
    noLib: true,
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
  }
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (literals, containing) =>
    literals.map(({ text }) => {
      const file = text.startsWith('.')
        ? path.resolve(path.dirname(containing), text)
        : (entries.get(text) ?? internalFile(text))
      const resolvedModule =
        file === undefined ? undefined : { resolvedFileName: file, extension: ts.Extension.Ts }
      return { resolvedModule }
    })
  return ts.createProgram([...entries.values()], options, host)
}

function exportedName(checker: ts.TypeChecker, symbol: ts.Symbol): ExportedName {
  const aim = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const [declaration] = aim.declarations ?? []
  const tags = aim.getJsDocTags(checker)
  const textsOf = (tag: string) =>
    tags.filter(({ name }) => name === tag).map(({ text }) => ts.displayPartsToString(text).trim())
  return {
    name: symbol.name,
    kind: declaration === undefined ? 'name' : kindOf(declaration),
    signature: (aim.declarations ?? [])
      .map(signatureOf)
      .filter((text) => text !== '')
      .join('\n'),
    summary: summaryOf(checker, aim),
    throws: textsOf('throws').map((text) => text.replace(/^\{(\w+)\}/, '`$1`')),
    examples: textsOf('example'),
    members: declaration === undefined ? [] : membersOf(checker, aim, declaration),
  }
}

function kindOf(declaration: ts.Declaration): ExportedName['kind'] {
  if (ts.isFunctionDeclaration(declaration)) return 'function'
  if (ts.isClassDeclaration(declaration)) return 'class'
  if (ts.isInterfaceDeclaration(declaration)) return 'interface'
  if (ts.isTypeAliasDeclaration(declaration)) return 'type'
  return 'value'
}

function signatureOf(declaration: ts.Declaration): string {
  if (ts.isFunctionDeclaration(declaration))
    return isOverloaded(declaration) ? '' : headOf(declaration, declaration.body)
  if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration))
    return headOf(declaration, declaration.members).replace(/\s*\{$/, '')
  if (ts.isTypeAliasDeclaration(declaration)) return headOf(declaration)
  if (!ts.isVariableDeclaration(declaration)) return ''
  const { name, type, initializer } = declaration
  if (type !== undefined) return `const ${name.getText()}: ${type.getText()}`
  return initializer !== undefined && ts.isArrowFunction(initializer)
    ? `const ${name.getText()} = ${headOf(initializer, initializer.body)} …`
    : `const ${name.getText()}`
}

/** The body of overloads belongs to no signature that can be called. */
function isOverloaded(declaration: ts.FunctionDeclaration): boolean {
  const { parent, name, body } = declaration
  const isOther = (node: ts.Node) =>
    ts.isFunctionDeclaration(node) && node !== declaration && node.name?.text === name?.text
  return body !== undefined && ts.isSourceFile(parent) && parent.statements.some(isOther)
}

function headOf(node: ts.Node, rest?: { readonly pos: number }): string {
  const whole = node.getSourceFile().text.slice(node.getStart(), rest?.pos ?? node.end)
  return whole
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/\/\*\*.*?\*\/\s*/gs, '')
    .trim()
}

/** Inherited members are members. What only a type of another package declares is not seen. */
function membersOf(
  checker: ts.TypeChecker,
  symbol: ts.Symbol,
  declaration: ts.Declaration,
): readonly Member[] {
  if (!ts.isInterfaceDeclaration(declaration) && !ts.isClassDeclaration(declaration)) return []
  return checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).flatMap((member) => {
    const [first] = member.declarations ?? []
    return first === undefined || isHidden(first) ? [] : [memberOf(checker, member, first)]
  })
}

function isHidden(declaration: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(declaration)
  return name === undefined || ts.isPrivateIdentifier(name)
}

function memberOf(checker: ts.TypeChecker, member: ts.Symbol, declaration: ts.Declaration): Member {
  const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0
  return {
    name: `${member.name}${isOptional ? '?' : ''}`,
    type: typeOf(declaration),
    summary: summaryOf(checker, member),
  }
}

function typeOf(declaration: ts.Declaration): string {
  if (ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration)) {
    const parameters = declaration.parameters.map((parameter) => parameter.getText()).join(', ')
    return `(${parameters}) => ${declaration.type?.getText() ?? 'void'}`
  }
  const isTyped =
    ts.isPropertySignature(declaration) ||
    ts.isPropertyDeclaration(declaration) ||
    ts.isParameter(declaration)
  return isTyped ? (declaration.type?.getText() ?? '') : ''
}

function summaryOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  return ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replaceAll(/\{@link\s+([^}|\s]+)[^}]*\}/g, '`$1`')
    .trim()
}
