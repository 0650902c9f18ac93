import { isDeepStrictEqual } from 'node:util'
import type { CallAnswer } from '#kernel/route.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import { isLiveLink, sessionLink } from '#server/http/session-link.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { exportTables, getTablesExport } from '../../calls.ts'
import { findGrant } from '../download-tables.queries.ts'
import * as queries from './directory-export.queries.ts'
import { storageKeyOf } from './export-task.ts'

const linkMinutes = 10
const subjectOf = (uid: string, nth: number) => `export/${uid}/${nth}`

/** Begins an export of all that the administrator reaches. It stands in the journal before anything leaves. */
export async function ask(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Tx,
  administrator: Administrator,
): Promise<CallAnswer<typeof exportTables>> {
  const { uid, plans, isNew } = await queries.insertExport(tx, administrator)
  if (!isNew) return { uid }
  await record(tx, journalAdministrator(administrator), {
    action: 'data_exported',
    subjectType: 'administrator',
    subjectUid: administrator.administratorUid,
    after: { plans },
  })
  await jobs.enqueue(tx, 'directory_exports', { uid })
  return { uid }
}

/** Of a ready one with a link, which is another one once it has been used. */
export async function present(
  app: Services,
  tx: Tx,
  administrator: Administrator,
  uid: string,
): Promise<CallAnswer<typeof getTablesExport>> {
  const row = await queries.findOwnExport(tx, administrator, uid)
  if (!row) throw new Refusal('not_found')
  const { state, message, linksUsed } = row
  if (state !== 'ready') return { state, link: null, message }
  const url = `${app.config.appUrl}/api/console/export/${uid}/${linksUsed}`
  const link = sessionLink(app, administrator, { subject: subjectOf(uid, linksUsed), url, minutes: linkMinutes })
  return { state, link, message }
}

/**
 * The archive of a signed link, once. Throws `not_found` for any invalid link and when the session or the grant has ended or
 * is another one, and `link_ended` for a link that was used.
 */
export async function open(app: Services, uid: string, nth: number, query: Record<string, unknown>) {
  const { system, documents, clock } = app
  const isGood = await isLiveLink(app, subjectOf(uid, nth), query)
  const row = isGood ? await queries.findExport(system, uid) : undefined
  const grant = row && (await findGrant(system, row.administratorUid))
  if (!grant || !isDeepStrictEqual(grant.reach, row.reach) || (row.plans && !grant.seesPlans))
    throw new Refusal('not_found')
  if (!(await queries.useLink(system, row, nth))) throw new Refusal('link_ended', 'This link has been used.')
  const file = await documents.read(storageKeyOf(row.uid))
  if (!file) throw new Refusal('not_found')
  const day = clock.now().toISOString().slice(0, 10)
  return {
    body: file.body,
    headers: {
      'content-type': 'application/zip',
      'content-length': file.bytes,
      'content-disposition': `attachment; filename="organisation-${day}.zip"`,
    },
  }
}
