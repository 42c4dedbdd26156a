/** Variables of our own are kept from what we run: it must not read how it is judged. */
const ownPrefix = 'DONECHECK_'

/** What a process gets that is not told otherwise: the variables of this one, without our own. */
export function inheritedEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const inherited = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith(ownPrefix),
  )
  return Object.fromEntries(inherited)
}
