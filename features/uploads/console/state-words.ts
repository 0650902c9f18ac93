import { count } from '#web/console/count.ts'
import { formatCount } from '#web/lib/counts.ts'
import type { Upload, UploadRow } from './uploads.data.ts'

export const rowsOf = (n: number) => count(n, 'row')
export const goodRowsOf = (n: number) => count(n, 'good row')

/** What became of an upload. */
export const stateWords: Record<Upload['state'], string> = {
  open: 'Not checked',
  checking: 'Being checked',
  checked: 'Checked',
  applying: 'Being applied',
  applied: 'Applied',
  undoing: 'Being undone',
  undone: 'Undone',
  failed: 'Stopped',
  dropped: 'Discarded',
}

/** What an upload is of. */
export const kindWords: Record<Upload['kind'], string> = {
  tables: 'Upload',
  invite: 'Invitations',
  move: 'Move to a floor',
  add_to_group: 'People added to a group',
  take_out_of_group: 'People removed from a group',
  deactivate: 'Deactivation',
}

/** States of uploads that have changed something. Problems are then rows that were left out. */
const isIn: Partial<Record<Upload['state'], true>> = { applying: true, applied: true, undoing: true, undone: true }

/** '3 added, 1 changed, 2 ended', or how many errors there are. */
export function countsOf({ state, problems, added, changed, ended }: UploadRow): string {
  if (problems > 0 && !isIn[state]) return count(problems, 'error')
  const told = [
    [added, 'added'],
    [changed, 'changed'],
    [ended, 'ended'],
  ] as const
  return (
    told
      .filter(([n]) => n > 0)
      .map(([n, word]) => `${formatCount(n)} ${word}`)
      .join(', ') || 'No change'
  )
}
