import { oneName } from '#kernel/name-fold.ts'
import type { Coded } from './code-index.ts'

/** The row with the code, else the only one whose code differs in case or spaces alone. Not for people: theirs are not ours. */
export const findAlike = <K extends Coded>(known: ReadonlyMap<string, K>, code: string): K | undefined =>
  known.get(code) ?? alikeIn(known).get(oneName(code)) ?? undefined

/** Null where several are alike. Made again once a file has added to the rows. */
function alikeIn<K extends Coded>(known: ReadonlyMap<string, K>): ReadonlyMap<string, K | null> {
  const before = made.get(known)
  if (before?.size === known.size) return before.alike as ReadonlyMap<string, K | null>
  const alike = new Map<string, K | null>()
  for (const [code, entry] of known) alike.set(oneName(code), alike.has(oneName(code)) ? null : entry)
  made.set(known, { size: known.size, alike })
  return alike
}
const made = new WeakMap<object, { size: number; alike: ReadonlyMap<string, Coded | null> }>()
