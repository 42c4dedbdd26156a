import { amounts, typedName } from '@donecheck/core/internal/budgets'

type TypedTopUp =
  | { readonly kind: 'top-up'; readonly topUp: Readonly<Record<string, number>> | undefined }
  | { readonly kind: 'unreadable'; readonly message: string }

export function readTopUp(typed: string): TypedTopUp {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '')
  const entries: [string, number][] = []
  for (const word of words) {
    const [name = '', amount = ''] = word.split('=')
    const value = Number(amount)
    if (!amounts.some((one) => typedName(one) === name) || amount === '' || !(value > 0))
      return {
        kind: 'unreadable',
        message: `"${word}" is no top-up: type one such as turns=45 or cost-usd=1.`,
      }
    entries.push([name, value])
  }
  return { kind: 'top-up', topUp: entries.length === 0 ? undefined : Object.fromEntries(entries) }
}
