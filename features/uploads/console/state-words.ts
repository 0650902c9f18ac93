import type { Upload, UploadRow } from './uploads.data.ts'

const counted = new Intl.NumberFormat('en-AU')
export const countOf = (n: number) => counted.format(n)

export const rowsOf = (n: number) => (n === 1 ? '1 row' : `${countOf(n)} rows`)
export const goodRowsOf = (n: number) => (n === 1 ? '1 good row' : `${countOf(n)} good rows`)

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
  if (problems > 0 && !isIn[state]) return problems === 1 ? '1 error' : `${countOf(problems)} errors`
  const told = [
    [added, 'added'],
    [changed, 'changed'],
    [ended, 'ended'],
  ] as const
  return (
    told
      .filter(([n]) => n > 0)
      .map(([n, word]) => `${countOf(n)} ${word}`)
      .join(', ') || 'No change'
  )
}
