import { InvalidArgumentError } from 'commander'
import { UsageError } from '@donecheck/engine/base'
import { nearest } from '@donecheck/core/base'
import { amounts, capTable, isWhole, typedName, type Amount } from '@donecheck/core/budgets'
import type { TopUp } from '@donecheck/engine/compose'
import { positive, positiveWhole } from './flag-values.ts'

/** Such as `tool-calls-of:web_search=10`. */
const toolPrefix = 'tool-calls-of:'

export function topUpOfFlags(texts: readonly string[]): TopUp {
  return texts.reduce<TopUp>((before, text) => {
    try {
      return topUpOf(text, before)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      throw new UsageError(`option '--top-up <amounts>' argument '${text}' is invalid. ${error.message}`)
    }
  }, {})
}

export function topUpOf(text: string, before: TopUp = {}): TopUp {
  return text.split(',').reduce<TopUp>((topUp, part) => withPart(topUp, part.trim()), before)
}

function withPart(topUp: TopUp, part: string): TopUp {
  const [, name, amount] = /^(.+)=([^=]*)$/.exec(part) ?? []
  if (name === undefined || amount === undefined)
    throw new InvalidArgumentError(`"${part}" is not of the form name=amount.`)
  if (name.startsWith(toolPrefix)) {
    const tool = name.slice(toolPrefix.length)
    return { ...topUp, callsPerTool: { ...topUp.callsPerTool, [tool]: positiveWhole(amount) } }
  }
  return { ...topUp, ...amountOf(nameOf(name), amount) }
}

function nameOf(name: string): Amount {
  // Programs may also use internal names such as `iterations`.
  const known = amounts.find((amount) => typedName(amount) === name || amount === name)
  if (known !== undefined) return known
  const names = amounts.map(typedName)
  const near = nearest(name, names)
  const hint = near === undefined ? `known names: ${names.join(', ')}.` : `did you mean "${near}"?`
  throw new InvalidArgumentError(`nothing is called "${name}"; ${hint}`)
}

function amountOf(name: Amount, text: string): TopUp {
  if (isWhole(name)) return { [name]: positiveWhole(text) }
  return { [name]: positive(text) * (capTable[name].kind === 'time' ? 1000 : 1) }
}
