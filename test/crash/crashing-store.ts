import type { Store } from 'donecheck'

/** A store that kills its process at the n-th append: `before` it (the effect is done, its event is not) or `after` it. */
export function crashing(store: Store, when: string | undefined, place: string | undefined): Store {
  let appends = 0
  const dieAt = (moment: string) => {
    if (when === moment && appends === Number(place)) process.kill(process.pid, 'SIGKILL')
  }
  return {
    ...store,
    append: async (...given) => {
      appends += 1
      dieAt('before')
      const result = await store.append(...given)
      dieAt('after')
      return result
    },
  }
}
