import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

/** I10: what the check of an upload said happens once, whatever is killed meanwhile, and is told once. So does its undo. */
export function uploadIsWhole({ state, upload }: Evidence): Verdict {
  const inquiry = new Inquiry('I10', 'an upload ends as its check said, each row once')
  const { people, seen, written, undo } = upload
  if (people === 0) return inquiry.verdict
  const end = undo ? 'undone' : 'applied'
  inquiry.check(seen?.state === end, `the upload ended as ${seen?.state ?? 'never read'}, not ${end}`)
  inquiry.check(seen?.added === people, `the upload says ${seen?.added} added, the file has ${people}`)
  inquiry.check(written === people, `${written} people are there, the file has ${people}`)
  const clientUid = state.clients[upload.organisation]
  const toldOf = (action: string) =>
    state.journal.filter((entry) => entry.action === action && entry.clientUid === clientUid)
  const told = toldOf('tables_applied')
  // the files of a trial are imported by the command, which tells nothing
  inquiry.check(told.length === 1, `the journal tells of it ${told.length} times`)
  inquiry.check(told[0]?.after?.added === people, `the journal says ${told[0]?.after?.added} added`)
  if (!undo) return inquiry.verdict
  const [before, after] = [new Set(undo.before), new Set(undo.after)]
  for (const line of before) inquiry.check(after.has(line), `before the upload, and not after its undo: ${line}`)
  const more = undo.after.filter((line) => !before.has(line))
  inquiry.check(before.size > 0 && more.length === 0, `${more.length} are in use after the undo who were not before`)
  const toldUndone = toldOf('tables_undone')
  inquiry.check(toldUndone.length === 1, `the journal tells of the undo ${toldUndone.length} times`)
  inquiry.check(toldUndone[0]?.after?.left === 0, `the undo left ${toldUndone[0]?.after?.left} rows`)
  return inquiry.verdict
}
