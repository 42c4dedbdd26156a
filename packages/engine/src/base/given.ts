type Given<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** The fields that have a value: the others are left out, instead of standing there as undefined. */
export function given<Fields extends object>(fields: Fields): Given<Fields>
export function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
