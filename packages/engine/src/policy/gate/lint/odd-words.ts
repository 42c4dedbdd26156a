/** Words that no command has, and words that are easily moved out of a rule's reach. */
import type { PrefixRule } from '../rules/rule.ts'

const operators = ['&&', '||', ';', '|', '&', '>', '>>', '<', '2>&1', '(', ')', '{', '}', '!']

/** Why the rule never matches; one alternative that can is enough. */
export function deadWord({ pattern }: PrefixRule): string | undefined {
  for (const [index, token] of pattern.entries()) {
    const reasons = token.map((word) => whyDead(word, index))
    if (reasons.every((reason) => reason !== undefined)) return reasons[0]
  }
  return undefined
}

function whyDead(word: string, index: number): string | undefined {
  if (operators.includes(word))
    return `"${word}" is no word of a command: commands of a line are looked at one by one`
  if (index === 0 && word === '') return 'no program has an empty name'
  if (index === 0 && /^\w+=/u.test(word))
    return `"${word}" is an assignment, and no part of the command behind it`
  if (index === 0 && /\s/u.test(word))
    return `"${word}" is one word: write ${JSON.stringify(word.split(/\s+/u))}`
  if (/^[*?]+$/u.test(word)) return `"${word}" is taken as it is: a shorter prefix matches whatever follows`
  if (/^~(?:\/|$)|\$[\w({]/u.test(word))
    return `"${word}" is only known when it runs: write what it stands for`
  return undefined
}

/** How a command gets round a rule that is to stop it. */
export function waysAround({ pattern, decision, skipOptions, where }: PrefixRule): string | undefined {
  if (decision === 'allow' || where !== undefined) return undefined
  const [program] = pattern
  if (program.every((name) => name.startsWith('/')))
    return `it matches only where the program is written as \`${program[0]}\`: stop its name`
  const option = pattern.slice(1).find((token) => token.every((word) => word.startsWith('-')))
  if (option !== undefined && skipOptions !== true)
    return `it matches only where ${option.join(' or ')} stands at this place: use where.hasOption`
  return undefined
}
