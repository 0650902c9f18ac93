import * as limits from '#kernel/limits.ts'

const cut = (text: string) => text.slice(0, limits.messageLength)

/** With the building names when only some leave; the list is cut to fit 130 characters. */
export function concludedText(site: string, buildings: readonly string[]): string {
  if (buildings.length === 0) return cut(`The event at ${site} has concluded`)
  for (let shown = buildings.length; shown > 0; shown--) {
    const more = buildings.length - shown
    const names = buildings.slice(0, shown).join(', ') + (more ? ` and ${more} more` : '')
    const text = `The event at ${site} (${names}) has concluded`
    if (text.length <= limits.messageLength) return text
  }
  return cut(`The event at ${site} (${buildings.length} buildings) has concluded`)
}

/** The event type's own message, cut at 130. */
export const defaultText = (message: string | undefined): string => cut(message ?? '')

/** Input that would be longer is ignored as a whole. */
export const acceptText = (before: string, typed: string): string =>
  typed.length > limits.messageLength ? before : typed
