/** Characters that fit in a narrow column. */
const fits = 4
const isNumber = (word: string) => /\p{N}/u.test(word)
const firstOf = (word: string, count: number) => [...word].slice(0, count).join('')

const wordsOf = (name: string) =>
  name.split(/[^\p{L}\p{N}]+/u).filter((word) => word && !/^(level|floor|lvl|no)$/i.test(word))

/** Each word by its first letters, numbers whole: 'Level 27' is 27, 'Basement 2' B2, 'Ground' G, 'Level 1 East' 1E. */
const initials = (words: readonly string[], longer = -1, by = 1) =>
  words.map((word, nth) => (isNumber(word) ? word : firstOf(word, nth === longer ? by : 1).toUpperCase())).join('')

/** What may stand for a name, the shortest first. */
function candidatesOf(name: string): string[] {
  const words = wordsOf(name)
  const plain = initials(words) || '–'
  const longer = [2, 3].flatMap((by) => words.map((_, nth) => initials(words, nth, by)))
  const parts = [firstOf(plain, fits), [...plain].slice(-fits).join('')]
  return [plain, ...longer].filter((short) => [...short].length <= fits).concat(parts)
}

/** Nothing of the name tells it from the others. */
function numbered(name: string, taken: ReadonlySet<string>): string {
  const [plain = ''] = candidatesOf(name)
  for (let nth = 1; ; nth++) {
    const short = `${firstOf(plain, Math.max(0, fits - 1 - `${nth}`.length))}·${nth}`
    if (!taken.has(short)) return short
  }
}

/**
 * What stands for each of these places in a narrow column, at most four characters, no two alike: a heading that stands
 * for 22 of 25 buildings names none. Initials that are someone's alone stay; the others get a letter that tells them apart.
 */
export function shortNames(names: readonly string[]): string[] {
  const all = names.map(candidatesOf)
  const count = new Map<string, number>()
  for (const short of all.flatMap((some) => [...new Set(some)])) count.set(short, (count.get(short) ?? 0) + 1)
  const taken = new Set(all.flatMap((some) => some.slice(0, 1).filter((short) => count.get(short) === 1)))
  return names.map((name, nth) => {
    const some = all[nth] ?? []
    const [own = ''] = some
    if (count.get(own) === 1) return own
    const free = some.filter((short) => !taken.has(short))
    const chosen = free.find((short) => count.get(short) === 1) ?? free[0] ?? numbered(name, taken)
    taken.add(chosen)
    return chosen
  })
}
