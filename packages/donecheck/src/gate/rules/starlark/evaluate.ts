/** The value of an expression. */
import { hashOf } from './compare.ts'
import { evaluateComprehension } from './comprehension.ts'
import { allItems } from './items.ts'
import type { Machine } from './machine.ts'
import { attributeOf } from './methods.ts'
import { applyBinary, applyUnary } from './operators.ts'
import { assignIndex, indexOf, sliceOf } from './subscript.ts'
import type { Argument, Definition, Entry, Expression, Target, TemplateExpression } from './syntax.ts'
import { reprOf, strOf } from './text-of-value.ts'
import {
  emptyDict,
  isKind,
  isTrue,
  listOf,
  tupleOf,
  typeOf,
  type FunctionValue,
  type Given,
  type Scope,
  type Value,
} from './value.ts'

/** A variable or an item that can be read and written. */
export interface ChangeablePlace {
  readonly get: () => Value
  readonly set: (value: Value) => void
}

/** Every method throws a `SourceFault` for what is wrong. */
export class Evaluator {
  readonly machine: Machine
  private readonly callFunction: (callee: FunctionValue, given: Given) => Value

  constructor(machine: Machine, callFunction: (callee: FunctionValue, given: Given) => Value) {
    this.machine = machine
    this.callFunction = callFunction
  }

  evaluate(expression: Expression, scope: Scope): Value {
    this.machine.step()
    return this.machine.nested(() => {
      this.machine.position = expression
      return this.valueOf(expression, scope)
    })
  }

  /** Calls anything that can be called. */
  call(callee: Value, given: Given): Value {
    if (isKind(callee, 'built-in')) return callee.call(given, this.machine.position)
    if (isKind(callee, 'function')) return this.callFunction(callee, given)
    throw this.machine.fault(`a ${typeOf(callee)} cannot be called`)
  }

  /** Defaults are evaluated now, once. */
  define(definition: Definition, scope: Scope): FunctionValue {
    const defaults = new Map<string, Value>()
    for (const { name, otherwise } of definition.parameters)
      if (otherwise !== null) defaults.set(name, this.evaluate(otherwise, scope))
    return { kind: 'function', definition, defaults, scope }
  }

  assign(target: Target, value: Value, scope: Scope): void {
    if (target.kind !== 'several') {
      this.placeOf(target, scope).set(value)
      return
    }
    const items = allItems(value, this.machine)
    const { length } = target.targets
    if (items.length !== length) throw this.machine.fault(`${items.length} values for ${length} names`)
    for (const [index, part] of target.targets.entries()) this.assign(part, items[index] ?? null, scope)
  }

  /** What stands in its brackets is evaluated once. */
  placeOf(target: Exclude<Target, { readonly kind: 'several' }>, scope: Scope): ChangeablePlace {
    if (target.kind === 'name') {
      const { name } = target
      return { get: () => this.lookUp(name, scope), set: (value) => scope.values.set(name, value) }
    }
    const object = this.evaluate(target.object, scope)
    const index = this.evaluate(target.index, scope)
    return {
      get: () => indexOf(object, index, this.machine),
      set: (value) => {
        assignIndex(object, index, value, this.machine)
      },
    }
  }

  private lookUp(name: string, scope: Scope): Value {
    for (let place: Scope | null = scope; place !== null; place = place.outer) {
      if (!place.owns.has(name)) continue
      const value = place.values.get(name)
      if (value === undefined) throw this.machine.fault(`'${name}' has no value yet`)
      return value
    }
    throw this.machine.fault(`'${name}' is not known here`)
  }

  private valueOf(expression: Expression, scope: Scope): Value {
    switch (expression.kind) {
      case 'name':
        return this.lookUp(expression.name, scope)
      case 'integer':
      case 'string':
        return expression.value
      case 'template':
        return expression.parts.map((part) => this.textOf(part, scope)).join('')
      case 'list':
        return listOf(this.all(expression.items, scope))
      case 'tuple':
        return tupleOf(this.all(expression.items, scope))
      case 'dict':
        return this.dictOf(expression.entries, scope)
      case 'comprehension':
        return evaluateComprehension(expression, scope, this)
      case 'call':
        return this.callOf(expression, scope)
      case 'attribute':
        return attributeOf(this.evaluate(expression.object, scope), expression.name, this.machine)
      case 'index':
        return indexOf(
          this.evaluate(expression.object, scope),
          this.evaluate(expression.index, scope),
          this.machine,
        )
      case 'slice':
        return this.slice(expression, scope)
      case 'unary':
        return applyUnary(expression.operator, this.evaluate(expression.operand, scope), this.machine)
      case 'binary':
        return this.binary(expression, scope)
      case 'conditional':
        return isTrue(this.evaluate(expression.condition, scope))
          ? this.evaluate(expression.then, scope)
          : this.evaluate(expression.otherwise, scope)
      case 'lambda':
        return this.define(expression.definition, scope)
    }
  }

  private all(items: readonly Expression[], scope: Scope): readonly Value[] {
    this.machine.make(items.length)
    return items.map((item) => this.evaluate(item, scope))
  }

  private textOf(part: TemplateExpression, scope: Scope): string {
    if (typeof part === 'string') return part
    const value = this.evaluate(part.expression, scope)
    return part.asWritten ? reprOf(value, this.machine) : strOf(value, this.machine)
  }

  private dictOf(entries: readonly Entry[], scope: Scope): Value {
    const dict = emptyDict()
    for (const { key, value } of entries) {
      const known = this.evaluate(key, scope)
      const hash = hashOf(known, this.machine)
      if (dict.entries.has(hash)) throw this.machine.fault('a dict has a key twice')
      dict.entries.set(hash, [known, this.evaluate(value, scope)])
    }
    return dict
  }

  private callOf(expression: Expression & { readonly kind: 'call' }, scope: Scope): Value {
    const callee = this.evaluate(expression.callee, scope)
    const given = this.givenBy(expression.parameters, scope)
    this.machine.position = expression.callee
    return this.call(callee, given)
  }

  private givenBy(parameters: readonly Argument[], scope: Scope): Given {
    const values: Value[] = []
    const named = new Map<string, Value>()
    for (const { name, value } of parameters) {
      const found = this.evaluate(value, scope)
      if (name === null) values.push(found)
      else named.set(name, found)
    }
    return { values, named }
  }

  private slice(expression: Expression & { readonly kind: 'slice' }, scope: Scope): Value {
    const object = this.evaluate(expression.object, scope)
    const bound = (part: Expression | null) => (part === null ? undefined : this.evaluate(part, scope))
    const bounds = {
      start: bound(expression.start),
      stop: bound(expression.stop),
      step: bound(expression.step),
    }
    return sliceOf(object, bounds, this.machine)
  }

  private binary(expression: Expression & { readonly kind: 'binary' }, scope: Scope): Value {
    const left = this.evaluate(expression.left, scope)
    if (expression.operator === 'and') return isTrue(left) ? this.evaluate(expression.right, scope) : left
    if (expression.operator === 'or') return isTrue(left) ? left : this.evaluate(expression.right, scope)
    const right = this.evaluate(expression.right, scope)
    this.machine.position = expression
    return applyBinary(expression.operator, left, right, this.machine)
  }
}
