/** Stands for what is only known when it runs: as a program it is an unknown one. */
export const setElsewhere = 'set_elsewhere'

export interface MakeRule {
  readonly targets: readonly string[]
  readonly prerequisites: readonly string[]
  readonly recipe: readonly string[]
}

export interface MakeText {
  readonly rules: readonly MakeRule[]
  readonly variables: ReadonlyMap<string, string>
}

/** Rules and plain variables; what is conditional is read as if it held. */
export function readMakefile(text: string): MakeText {
  const rules: { targets: string[]; prerequisites: string[]; recipe: string[] }[] = []
  const variables = new Map<string, string>()
  for (const line of text.replace(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/)) {
    const rule = rules.at(-1)
    if (line.startsWith('\t')) {
      rule?.recipe.push(line.slice(1))
      continue
    }
    const plain = line.replace(/(^|\s)#.*$/, '')
    const [, name = '', operator = '', value = ''] =
      /^\s*(?:export\s+|override\s+)*([\w.-]+)\s*([:?+]?:?=)\s*(.*)$/.exec(plain) ?? []
    if (name !== '') {
      const before = variables.get(name)
      if (operator === '+=') variables.set(name, before === undefined ? value : `${before} ${value}`)
      // One of several, or of the environment's: what it will be is not known.
      else if (operator === '?=' || (before !== undefined && before !== value))
        variables.set(name, setElsewhere)
      else variables.set(name, value)
      continue
    }
    const [, targets, rest = ''] = /^([^\s:#=][^:=#]*)::?(?!=)(.*)$/.exec(plain) ?? []
    if (targets === undefined) continue
    const [prerequisites = '', inline] = rest.split(/;(.*)/s)
    rules.push({
      targets: wordsIn(targets),
      prerequisites: wordsIn(prerequisites).filter((word) => word !== '|'),
      recipe: inline === undefined ? [] : [inline.trim()],
    })
  }
  return { rules, variables }
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** A recipe's line as the shell gets it. A variable that is set elsewhere stays one word. */
export function expandMake(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  return text.replace(/\$(?:\$|\(([^()]*)\)|\{([^{}]*)\}|(.))/g, (whole, round?: string, curly?: string) => {
    const name = round ?? curly
    if (whole === '$$') return '$'
    if (name === 'MAKE') return 'make'
    const value = name === undefined ? undefined : variables.get(name)
    return value === undefined || depth > maxVariableDepth
      ? setElsewhere
      : expandMake(value, variables, depth + 1)
  })
}

const maxVariableDepth = 10
