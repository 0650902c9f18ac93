import type { Upload, UploadRow } from './uploads.data.ts'

const counted = new Intl.NumberFormat('en-AU')
export const countOf = (n: number) => counted.format(n)

/** What became of an upload. */
export const stateWords: Record<Upload['state'], string> = {
  open: 'Not checked',
  checking: 'Being checked',
  checked: 'Checked',
  applying: 'Being applied',
  applied: 'Applied',
  failed: 'Stopped',
  dropped: 'Dropped',
}

/** '3 added, 1 changed, 2 ended', or how many errors there are. */
export function countsOf({ problems, added, changed, ended }: UploadRow): string {
  if (problems > 0) return problems === 1 ? '1 error' : `${countOf(problems)} errors`
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
