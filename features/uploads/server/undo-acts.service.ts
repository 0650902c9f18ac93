import { voidSince } from '#features/authority/server/writes/invitations.queries.ts'
import { removeBrought, restoreMembers } from '#features/directory/server/members/group-members.service.ts'
import type { AppliedRow, Undone } from '#features/directory/server/undo/undo.service.ts'
import { uploadLimits } from '#kernel/console-kinds.ts'
import type { GroupUid, PersonUid } from '#kernel/ids.ts'
import { type Db, inClients } from '#server/platform/db/db.ts'
import type { JournalActor } from '#server/platform/db/journal.ts'
import { actFiles } from './store-act.service.ts'
import type { UploadRecord } from './uploads.queries.ts'

/** Takes members of groups and invitations back. What cannot be is added to `left`. */
export async function undoActs(
  system: Db,
  upload: UploadRecord,
  by: JournalActor,
  applied: readonly AppliedRow[],
  left: Undone['left'],
): Promise<void> {
  const of = (file: string) => applied.filter((row) => row.file === file)
  const { group } = upload.options
  const members = upload.options.joins ? leavingWith(of(actFiles.members), left) : of(actFiles.members)
  if (group) await undoMembers(system, upload, by, { group, rows: members, left })
  else await undoBrought(system, upload, by, members)
  const invited = of(actFiles.invitations)
  if (invited.length > 0) await undoInvitations(system, upload, invited, left)
}

/** Who was added to the group of the administrator stays in it where the person stays, so that someone reaches them. */
function leavingWith(members: readonly AppliedRow[], left: Undone['left']): AppliedRow[] {
  const staying = new Set(
    [...left.keys()].filter(({ file }) => file === 'people.csv').map((row) => cellOf(row, 'code')),
  )
  return members.filter((row) => !staying.has(cellOf(row, 'person')))
}

const cellOf = ({ cells }: AppliedRow, name: string) => cells.find(({ column }) => column === name)?.after ?? ''

const personOf = ({ key }: AppliedRow) => key as PersonUid

async function undoMembers(
  system: Db,
  { clientUid }: UploadRecord,
  by: JournalActor,
  { group, rows, left }: { group: GroupUid; rows: readonly AppliedRow[]; left: Undone['left'] },
) {
  const remove = rows.filter(({ kind }) => kind === 'added').map(personOf)
  const add = rows.filter(({ kind }) => kind === 'ended').map(personOf)
  const isBack = await inClients(system, [clientUid], (tx) =>
    restoreMembers(tx, { ...by, clientUid }, group, { add, remove }),
  )
  if (!isBack) for (const row of rows) left.set(row, 'The group is out of use.')
}

/** Members of one transaction: each is up to two rows. */
const membersAtOnce = 2_000

/** Files add members alone. */
async function undoBrought(
  system: Db,
  { clientUid, changes }: UploadRecord,
  by: JournalActor,
  rows: readonly AppliedRow[],
) {
  const told = changes <= uploadLimits.atOnce ? by : undefined
  const members = rows.map((row) => ({ group: cellOf(row, 'group'), person: cellOf(row, 'person') }))
  for (let from = 0; from < members.length; from += membersAtOnce) {
    const some = members.slice(from, from + membersAtOnce)
    await inClients(system, [clientUid], (tx) => removeBrought(tx, clientUid, told, some))
  }
}

/** A mail that has gone out stays so: its link opens nothing any more, unless someone has set their password by it. */
async function undoInvitations(
  system: Db,
  { clientUid, createdAt }: UploadRecord,
  rows: readonly AppliedRow[],
  left: Undone['left'],
) {
  const ended = await inClients(system, [clientUid], (tx) => voidSince(tx, clientUid, rows.map(personOf), createdAt))
  for (const row of rows) if (!ended.includes(personOf(row))) left.set(row, 'There is no open invitation to take back.')
}
