/** What a hook needs that it did not bring along: the same event is then taken up by the whole program. Nothing was recorded. */
export class NeedsMore extends Error {
  override readonly name = 'NeedsMore'

  constructor(what: string) {
    super(`the hook needs ${what}`)
  }
}
