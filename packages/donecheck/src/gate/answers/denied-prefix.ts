import type { Examined } from '../examine.ts'

/** What "never again" means where no rule was proposed: the one command that was asked for, word for word. */
export function deniedPrefix({ line }: Examined): readonly string[] | undefined {
  const asked = line?.commands.filter(({ objections }) => objections.length > 0) ?? []
  const [only, ...others] = asked.length > 0 ? asked : (line?.commands ?? [])
  if (only === undefined || others.length > 0) return undefined
  const texts = only.found.words.map(({ text }) => text)
  return texts.every((text) => text !== null) ? texts : undefined
}
