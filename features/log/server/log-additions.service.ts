import type { JsonValue } from '#server/platform/db/tables.ts'
import { additionLine, commitOf, withheldLine } from './log-line.ts'

/** What someone added to a record. */
export interface Addition {
  /** Null: its text is not what was logged any more, because a person was erased from it. */
  salt: string | null
  fields: Record<string, JsonValue>
}

/** Stands in the journal entry of the addition, as `after.commit`. In base64. */
export const commitOfAddition = ({ salt, fields }: Addition): string => {
  if (salt === null) throw new Error('An addition without its salt has no commit.')
  return commitOf(additionLine(salt, fields)).toString('base64')
}

/** The line of entries.ndjson that stands for an entry of the journal with this commit. */
export function lineOfAddition(
  commit: string,
  addition: Addition | undefined,
  { isErased, isShown }: { isErased: boolean; isShown: boolean },
): string {
  const bytes = Buffer.from(commit, 'base64')
  if (isErased) return withheldLine('erased', bytes)
  if (addition?.salt == null) return withheldLine('missing', bytes)
  return isShown ? additionLine(addition.salt, addition.fields) : withheldLine('not in your area', bytes)
}
