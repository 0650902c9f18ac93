import type { DifferenceRow } from '#features/directory/server/change-directory.service.ts'
import type { UploadKind } from '#kernel/console-kinds.ts'
import type { GroupUid, PersonUid, UploadUid } from '#kernel/ids.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { keepFound } from './upload-found.queries.ts'
import * as queries from './uploads.queries.ts'

/** What acts write: members by the uid of the person, who may also come in by a file of this name. */
export const actFiles = { members: 'group_members.csv', invitations: 'invitations' } as const

/** A row of an act that no table has: of a person. */
export const rowOfPerson = (
  file: keyof typeof actFiles,
  kind: 'added' | 'ended',
  { personUid, name, cells = [] }: { personUid: PersonUid; name: string; cells?: DifferenceRow['cells'] },
): DifferenceRow => ({ file: actFiles[file], kind, key: personUid, line: null, title: name, cells })

/** An act on ticked people is an upload of its own kind, which `keepAct` makes an applied one. */
export const beginAct = (tx: Tx, { clientUid, administratorUid, personUid }: Administrator, kind: UploadKind) =>
  queries.insertUpload(tx, { clientUid, administratorUid, byPersonUid: personUid, kind })

/** Keeps what has changed, so that it can be undone. An act without a change leaves no trace. Returns whether it is kept. */
export async function keepAct(
  tx: Tx,
  { clientUid }: Pick<Administrator, 'clientUid'>,
  uid: UploadUid,
  { rows, waits, group }: { rows: readonly DifferenceRow[]; waits: number; group?: GroupUid | undefined },
): Promise<boolean> {
  const key = { clientUid, uid }
  if (rows.length + waits === 0) {
    await queries.deleteUpload(tx, key)
    return false
  }
  await keepFound(tx, key, 'uploadChange', rows)
  const count = (file: string, kind: string) => rows.filter((row) => row.file === file && row.kind === kind).length
  const files = [...new Set(rows.map(({ file }) => file))].filter((file) => file !== 'accounts')
  const none = { number: 0, of: 0 }
  await queries.updateUpload(tx, key, {
    ...{
      state: 'applied',
      appliedAt: new Date(),
      hasKeys: true,
      changes: rows.length,
      options: group ? { group } : {},
    },
    result: {
      files: files.map((file) => ({
        ...{
          file,
          added: count(file, 'added'),
          changed: count(file, 'changed'),
          ended: count(file, 'ended'),
          left: waits,
        },
      })),
      ends: { people: none, assignments: none },
      mustType: null,
      windows: [],
    },
  })
  return true
}
