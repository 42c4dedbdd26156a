/** From a source text to every repair that changes one place of it. Pure: nothing is read or written here. */
import ts from 'typescript'
import { swapArguments, swapCallTwin } from './calls.ts'
import {
  mutationKinds,
  padded,
  touchesLineBreak,
  type Edit,
  type MutationKind,
  type Mutator,
} from './edit.ts'
import { negateCondition, swapBinaryOperator, swapOperands, swapStep } from './operators.ts'
import { flipBoolean, shiftIndex, shiftLength, shiftNumber, swapBranches } from './values.ts'

export interface Candidate {
  /** As it was given. */
  readonly file: string
  readonly kind: MutationKind
  /** Of the first character that changes, in UTF-16 units. */
  readonly offset: number
  /** Counted from 1. */
  readonly line: number
  readonly before: string
  readonly after: string
  /** Name of the function around it; empty outside of functions. */
  readonly functionName: string
  /** Such as `"<" becomes "<="`. */
  readonly description: string
}

const mutators: readonly Mutator[] = [
  swapBinaryOperator,
  swapOperands,
  swapStep,
  negateCondition,
  shiftNumber,
  flipBoolean,
  swapBranches,
  shiftLength,
  shiftIndex,
  swapCallTwin,
  swapArguments,
]

/** Likeliest first, then by place; without duplicates; none for a text that does not parse. */
export function candidatesIn(file: string, text: string): readonly Candidate[] {
  if (!parses(file, text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = new Map<string, Candidate>()
  visit(source, (node) => {
    for (const edit of mutators.flatMap((mutate) => mutate(node, source))) {
      const candidate = toCandidate(file, source, node, padded(edit, text))
      if (touchesLineBreak(edit, text) && !parses(file, applyCandidate(text, candidate))) continue
      found.set(`${candidate.offset} ${candidate.before.length} ${candidate.after}`, candidate)
    }
  })
  return [...found.values()].sort(
    (one, other) => likelihood(one) - likelihood(other) || one.offset - other.offset,
  )
}

/** @throws RangeError where the text is not the one that the candidate was made from */
export function applyCandidate(text: string, candidate: Candidate): string {
  const { offset, before, after, file } = candidate
  if (!text.startsWith(before, offset)) throw new RangeError(`${file} does not hold "${before}" at ${offset}`)
  return text.slice(0, offset) + after + text.slice(offset + before.length)
}

/** True where the text has no syntax error. */
export function parses(file: string, text: string): boolean {
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      jsx: ts.JsxEmit.Preserve,
    },
  })
  return diagnostics.length === 0
}

function likelihood(candidate: Candidate): number {
  return mutationKinds.indexOf(candidate.kind)
}

/** Types are left out: no test fails for their sake. */
function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

function toCandidate(file: string, source: ts.SourceFile, node: ts.Node, edit: Edit): Candidate {
  const before = source.text.slice(edit.start, edit.end)
  return {
    file,
    kind: edit.kind,
    offset: edit.start,
    line: source.getLineAndCharacterOfPosition(edit.start).line + 1,
    before,
    after: edit.after,
    functionName: functionAround(node),
    description: `"${inShort(before)}" becomes "${inShort(edit.after)}"`,
  }
}

function functionAround(node: ts.Node): string {
  for (let around: ts.Node | undefined = node; around !== undefined; around = parentOf(around)) {
    if (!ts.isFunctionLike(around)) continue
    const named = around.name ?? (ts.isVariableDeclaration(around.parent) ? around.parent.name : undefined)
    if (named !== undefined && ts.isIdentifier(named)) return named.text
  }
  return ''
}

/** The root has no parent, whatever its type says. */
function parentOf(node: ts.Node): ts.Node | undefined {
  return ts.isSourceFile(node) ? undefined : node.parent
}

const maxQuoteLength = 48

function inShort(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  return line.length <= maxQuoteLength ? line : `${line.slice(0, maxQuoteLength - 3)}...`
}
