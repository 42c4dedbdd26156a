/** What Tab offers. A file may have any name: one that would be obeyed by the terminal is left out. */
import { CombinedAutocompleteProvider, type AutocompleteSuggestions } from '@earendil-works/pi-tui'
import { harmless } from '@donecheck/core/base'

type Asked = Parameters<CombinedAutocompleteProvider['getSuggestions']>

export class HarmlessCompletions extends CombinedAutocompleteProvider {
  override async getSuggestions(...asked: Asked): Promise<AutocompleteSuggestions | null> {
    const found = await super.getSuggestions(...asked)
    const items = (found?.items ?? []).filter(({ value, label, description = '' }) =>
      [value, label, description].every(isHarmless),
    )
    return found === null || items.length === 0 ? null : { ...found, items }
  }
}

function isHarmless(text: string): boolean {
  return harmless(text) === text && !/[\t\n\u2028\u2029]/.test(text)
}
