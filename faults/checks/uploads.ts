import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

/** I10: what the check of an upload said happens once, whatever is killed meanwhile, and is told once. */
export function uploadIsWhole({ state, upload }: Evidence): Verdict {
  const inquiry = new Inquiry('I10', 'an upload ends as its check said, each row once')
  const { people, seen, written } = upload
  if (people === 0) return inquiry.verdict
  inquiry.check(seen?.state === 'applied', `the upload ended as ${seen?.state ?? 'never applied'}`)
  inquiry.check(seen?.added === people, `the upload says ${seen?.added} added, the file has ${people}`)
  inquiry.check(written === people, `${written} people are there, the file has ${people}`)
  const clientUid = state.clients[upload.organisation]
  const told = state.journal.filter((entry) => entry.action === 'tables_applied' && entry.clientUid === clientUid)
  // the files of a trial are imported by the command, which tells nothing
  inquiry.check(told.length === 1, `the journal tells of it ${told.length} times`)
  inquiry.check(told[0]?.after?.added === people, `the journal says ${told[0]?.after?.added} added`)
  return inquiry.verdict
}
