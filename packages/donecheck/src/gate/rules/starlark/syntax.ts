/** The tree of a rule file. */
import type { Position } from './source-fault.ts'

export type Expression = Position &
  (
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'integer'; readonly value: number }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'template'; readonly parts: readonly TemplateExpression[] }
    | { readonly kind: 'list' | 'tuple'; readonly items: readonly Expression[] }
    | { readonly kind: 'dict'; readonly entries: readonly Entry[] }
    | {
        readonly kind: 'comprehension'
        readonly item: Expression | Entry
        readonly clauses: readonly Clause[]
      }
    | { readonly kind: 'call'; readonly callee: Expression; readonly parameters: readonly Argument[] }
    | { readonly kind: 'attribute'; readonly object: Expression; readonly name: string }
    | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression }
    | {
        readonly kind: 'slice'
        readonly object: Expression
        readonly start: Expression | null
        readonly stop: Expression | null
        readonly step: Expression | null
      }
    | { readonly kind: 'unary'; readonly operator: '-' | '+' | 'not'; readonly operand: Expression }
    | {
        readonly kind: 'binary'
        readonly operator: string
        readonly left: Expression
        readonly right: Expression
      }
    | {
        readonly kind: 'conditional'
        readonly condition: Expression
        readonly then: Expression
        readonly otherwise: Expression
      }
    | { readonly kind: 'lambda'; readonly definition: Definition }
  )

export type TemplateExpression = string | { readonly expression: Expression; readonly asWritten: boolean }

export interface Entry {
  readonly key: Expression
  readonly value: Expression
}

export type Clause =
  | { readonly kind: 'for'; readonly target: Target; readonly items: Expression }
  | { readonly kind: 'if'; readonly condition: Expression }

export interface Argument {
  /** Null: by its place. */
  readonly name: string | null
  readonly value: Expression
}

/** What may stand to the left of `=`. */
export type Target = Position &
  (
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'index'; readonly object: Expression; readonly index: Expression }
    | { readonly kind: 'several'; readonly targets: readonly Target[] }
  )

/** A function; its identity is that of the code, for the rule against recursion. */
export interface Definition {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: readonly Statement[]
  /** Every name that belongs to a call of it. */
  readonly locals: ReadonlySet<string>
}

export interface Parameter {
  readonly name: string
  readonly otherwise: Expression | null
}

export type Statement = Position &
  (
    | { readonly kind: 'expression'; readonly expression: Expression }
    | { readonly kind: 'assign'; readonly target: Target; readonly value: Expression }
    | {
        readonly kind: 'change'
        readonly target: Target
        readonly operator: string
        readonly value: Expression
      }
    | { readonly kind: 'if'; readonly branches: readonly Branch[] }
    | {
        readonly kind: 'for'
        readonly target: Target
        readonly items: Expression
        readonly body: readonly Statement[]
      }
    | { readonly kind: 'def'; readonly definition: Definition }
    | { readonly kind: 'return'; readonly value: Expression | null }
    | { readonly kind: 'pass' | 'break' | 'continue' }
  )

/** Null: `else`. */
export interface Branch {
  readonly condition: Expression | null
  readonly body: readonly Statement[]
}
