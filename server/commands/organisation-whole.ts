import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { continueLogs } from '#features/cells/server/whole/continue-logs.service.ts'
import { type Exported, exportWhole } from '#features/cells/server/whole/export-whole.service.ts'
import { importWhole } from '#features/cells/server/whole/import-whole.service.ts'
import { WholeError } from '#features/cells/server/whole/whole-file.ts'
import { openSigner } from '#features/log/server/signed-note.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { Config } from '../platform/config/config.ts'
import { refreshStatistics } from '../platform/db/migrate.ts'
import { openDocumentStore } from '../platform/documents/open-document-store.ts'
import { deriveSecrets, loadSecretKey } from '../platform/secrets.ts'
import type { Migrated } from './with-database.ts'

interface Words {
  path: string
  /** Of the file that holds the passphrase. Empty: there is none. */
  passphraseFile: string
}

const leastLetters = 16

function readPassphrase({ passphraseFile }: Words): string | undefined {
  if (!passphraseFile) return undefined
  if (!existsSync(passphraseFile)) throw new WholeError(`There is no ${passphraseFile}.`)
  const [passphrase = ''] = readFileSync(passphraseFile, 'utf8').split(/\r?\n/, 1)
  if (passphrase.length < leastLetters)
    throw new WholeError(
      `The first line of ${passphraseFile} is the passphrase: give it at least ${leastLetters} letters.`,
    )
  return passphrase
}

const secretsOf = (config: Config) =>
  deriveSecrets(loadSecretKey(config.secretKey, config.dataDir), config.formerSecretKeys)

/** Writes the organisation into a file. Returns what to say. */
export async function exportTo({ connection }: Migrated, config: Config, code: string, words: Words): Promise<string> {
  const exporting = {
    connection,
    documents: await openDocumentStore(config),
    secrets: secretsOf(config),
    host: new URL(config.appUrl).host,
  }
  const asked = { code, path: resolve(words.path), passphrase: readPassphrase(words) }
  return describeExport(await exportWhole(exporting, asked), words)
}

function describeExport({ counts, lostDocuments }: Exported, { path, passphraseFile }: Words): string {
  return [
    `${path} has ${sayCounts(counts)}. Only you can read it: it holds names, plans and hashes of passwords.`,
    ...(lostDocuments > 0 ? [`Documents that the store has lost: ${lostDocuments}.`] : []),
    ...(passphraseFile ? [] : ['Second factors were left out: --passphrase-file takes them along.']),
  ].join('\n')
}

const sayCounts = ({ rows, documents }: Exported['counts']) => {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return `${all} rows (people: ${rows.person}, events: ${rows.event}, entries: ${rows.journal}) and ${documents} documents`
}

/** Brings the organisation of a file in, and lets its logs go on. Returns what to say. */
export async function importFrom(
  { connection, owner, system }: Migrated,
  config: Config,
  { evenInEvent, suspended, ...words }: Words & { evenInEvent: boolean; suspended: boolean },
): Promise<string> {
  const secrets = secretsOf(config)
  const documents = await openDocumentStore(config)
  const asked = { path: resolve(words.path), passphrase: readPassphrase(words), evenInEvent, suspended }
  const { header, counts, droppedCodes } = await importWhole({ connection, documents, secrets }, asked)
  const { uid, code, name } = header.organisation
  await refreshStatistics(owner)
  const signer = openSigner(secrets.recordLog, config.appUrl)
  const logs = await continueLogs({ system, signer, documents }, uid as ClientUid).catch((error: Error) => error)
  return [
    `${code} (${name}) has come from ${header.host}, as it was on ${header.at}: ${sayCounts(counts)}.`,
    logs instanceof Error
      ? `Its logs go on within the hour, when workers reach them: ${logs.message}`
      : `Logs that go on here: ${logs}.`,
    'Everyone signs in anew. Wall screens, links and alerts on phones are set up anew.',
    ...(droppedCodes > 0 ? [`Recovery codes of another SECRET_KEY, which were left out: ${droppedCodes}.`] : []),
    ...(header.salt === null
      ? [`Administrators have no second factor here: npm run organisation -- reset-second-factor ${code} EMAIL`]
      : []),
  ].join('\n')
}
