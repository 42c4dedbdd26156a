/** The conditions on the arguments behind a prefix, as they are written. */
import { quoted, RuleFault } from '../rule-fault.ts'
import type { ArgumentPredicate } from '../rule.ts'

const keys = ['hasOption', 'hasArgument', 'onlyOptions', 'onlyArguments'] as const

/** @throws RuleFault */
export function predicateOf(value: unknown): ArgumentPredicate | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RuleFault(`where must be an object, not ${quoted(value)}`)
  const parts: Partial<Record<string, unknown>> = { ...value }
  const unknown = Object.keys(parts).find((key) => !keys.some((known) => known === key))
  if (unknown !== undefined) throw new RuleFault(`where has no ${quoted(unknown)}; it has ${keys.join(', ')}`)
  const hasOption = optionsOf(parts['hasOption'], 'hasOption')
  const onlyOptions = optionsOf(parts['onlyOptions'], 'onlyOptions')
  const hasArgument = globOf(parts['hasArgument'], 'hasArgument')
  const onlyArguments = globOf(parts['onlyArguments'], 'onlyArguments')
  if (hasOption?.length === 0) throw new RuleFault('where.hasOption must not be empty')
  if (Object.values(parts).every((part) => part === undefined))
    throw new RuleFault(`where must have one of ${keys.join(', ')}`)
  return {
    ...(hasOption === undefined ? {} : { hasOption }),
    ...(hasArgument === undefined ? {} : { hasArgument }),
    ...(onlyOptions === undefined ? {} : { onlyOptions }),
    ...(onlyArguments === undefined ? {} : { onlyArguments }),
  }
}

function optionsOf(value: unknown, name: string): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw new RuleFault(`where.${name} must be a list, not ${quoted(value)}`)
  return value.map((option: unknown) => {
    if (typeof option !== 'string' || !/^-[^=]/.test(option) || option === '--' || option.includes('='))
      throw new RuleFault(`where.${name} must have options such as --force in it, not ${quoted(option)}`)
    return option
  })
}

function globOf(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '')
    throw new RuleFault(`where.${name} must be a glob, not ${quoted(value)}`)
  return value
}
