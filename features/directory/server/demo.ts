import { join } from 'node:path'
import { ConfigError } from '#server/platform/config/read-setting.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { DocumentStore } from '#server/platform/documents/document-store.ts'
import { listDemoCodes } from './import.queries.ts'
import { importOrganisation } from './import.service.ts'
import { describeReport } from './import-report.ts'
import { listClientCodes } from './stored/load-code-index.queries.ts'

const folder = join(import.meta.dirname, '../../../server/demo')
const demoCodes = ['HARBOUR', 'RIVERSIDE']
const demoFolders = ['harbour', 'riverside'].map((name) => join(folder, name))

/** The demo accounts. Their password is `evacuate1`. */
export const demoAccounts = [
  'chief@harbour.test      Grace Okafor, Chief Warden, Harbour Quarter',
  'deputy@harbour.test     Daniel Reyes, Deputy Chief Warden, Harbour Quarter',
  'comms@harbour.test      Mei Tanaka, Communications Officer, Harbour Quarter',
  'floor3@harbour.test     Oliver Hughes, Floor Warden, Tower A Level 3',
  'floor2@harbour.test     Aisha Rahman, Floor Warden, Tower A Level 2',
  'towerb@harbour.test     Lucas Martin, Building Warden, Tower B',
  'offered@harbour.test    Priya Nair, an assignment to accept or decline',
  'upcoming@harbour.test   Tom Becker, an assignment that starts in 30 days',
  'lapsed@harbour.test     Ivan Petrov, a lapsed assignment: may not sign in',
  'both@harbour.test       Sofia Rossi, warden of two organisations',
  'chief@riverside.test    Hannah Cole, Chief Warden, Riverside Hospital (no SMS)',
  'admin@harbour.test      Nora Lindqvist, administrator: the console at /console, its code at /simulator',
  'admin@riverside.test    Jonas Weber, administrator of Riverside Hospital',
  'wade                    Wade Nguyen, Floor Warden, Tower A Level 1',
]

/**
 * Throws ConfigError if the database contains demo accounts that can sign in, because their passwords are public.
 */
export async function refuseDemo(db: Db): Promise<void> {
  const codes = await listDemoCodes(db, demoCodes)
  if (codes.length === 0) return
  const list = codes.map((code) => `'${code}'`).join(', ')
  throw new ConfigError(
    `This database contains the demo (${codes.join(', ')}), whose passwords are public. Use another database (DATABASE_URL) or folder (DATA_DIR), or deactivate its accounts:\n` +
      `  update account set active = false where uid in (select p.account_uid from person p join client c on c.uid = p.client_uid where c.code in (${list}));`,
  )
}

/**
 * Loads the two demo organisations into an empty database. Loads them again at every start, so that visitors have today's
 * date. Leaves a database with other organisations alone. Returns whether the database has the demo.
 */
export async function loadDemo(db: Db, documents: DocumentStore): Promise<boolean> {
  const codes = await listClientCodes(db)
  if (codes.length > 0 && !demoCodes.every((code) => codes.includes(code))) return false
  for (const folder of demoFolders) {
    const report = await importOrganisation({ db, folder, documents })
    if (report.errors.length > 0) throw new Error(describeReport(report))
  }
  return true
}
