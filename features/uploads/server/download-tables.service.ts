import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { documentFolder, exportTables } from '#features/directory/server/tables/export.service.ts'
import { templateFiles } from '#features/directory/server/tables/templates.service.ts'
import type { AdministratorUid } from '#kernel/ids.ts'
import { type Administrator, journalAdministrator } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { Refusal } from '#server/platform/errors.ts'
import { isGoodLink, signedLink } from '#server/platform/signed-link.ts'
import { findGrant, listReached } from './download-tables.queries.ts'

const linkMinutes = 2
const subjectOf = (uid: string) => `export/${uid}`

/** Stands in the journal before anything leaves. */
export async function noteExport(tx: Tx, administrator: Administrator): Promise<{ plans: boolean }> {
  const { administratorUid, seesPlans } = administrator
  await record(tx, journalAdministrator(administrator), {
    action: 'data_exported',
    subjectType: 'administrator',
    subjectUid: administratorUid,
    after: { plans: seesPlans },
  })
  return { plans: seesPlans }
}

/** The link to the archive. */
export function linkToExport({ secrets, clock, config }: Services, { administratorUid }: Administrator): string {
  const signed = { key: secrets.documents, subject: subjectOf(administratorUid), now: clock.now() }
  return signedLink(signed, `${config.appUrl}/api/console/export/${administratorUid}`, linkMinutes)
}

/** The archive of a signed link, for as far as the grant reaches by now. Throws `not_found` for any invalid link. */
export async function openExport(app: Services, uid: string, query: Record<string, unknown>): Promise<Readable> {
  const isGood = isGoodLink({ key: app.secrets.documents, subject: subjectOf(uid), now: app.clock.now() }, query)
  const grant = isGood ? await findGrant(app.system, uid as AdministratorUid) : undefined
  if (!grant) throw new Refusal('not_found')
  const reached = await listReached(app.system, grant)
  const { files, documents } = await exportTables(app.system, grant.clientUid, { plans: grant.seesPlans, ...reached })
  const zip = new ZipFile()
  for (const { name, lines } of files) zip.addReadStream(Readable.from(lines()), name)
  for (const key of new Set(documents)) {
    const file = await app.documents.read(key)
    if (file) zip.addReadStream(file.body, `${documentFolder}/${key}`, { compress: false })
  }
  zip.end()
  return Readable.from(zip.outputStream)
}

export async function zipTemplates(): Promise<string> {
  const zip = new ZipFile()
  for (const { name, text } of templateFiles()) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  const chunks: Buffer[] = []
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('base64')
}
