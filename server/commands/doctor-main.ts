import { parseArgs } from 'node:util'
import { listRescues } from '#features/administrators/server/owed-links.service.ts'
import { answersWords } from '../platform/command-line.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { openPool } from '../platform/db/db.ts'
import { openDatabase } from '../platform/postgres/database.ts'
import { deriveSecrets, loadSecretKey } from '../platform/secrets.ts'
import { centrifugoConfig } from '../realtime/centrifugo/config-file.ts'
import { checkAddress } from './doctor/address.check.ts'
import { checkCentrifugo } from './doctor/centrifugo.check.ts'
import { checkDatabase } from './doctor/database.check.ts'
import { checkDocuments } from './doctor/documents.check.ts'
import { type Finding, fault, report, warning } from './doctor/finding.ts'
import { checkKeys } from './doctor/keys.check.ts'
import { checkServices, type TestReceivers } from './doctor/services.check.ts'
import { checkSettings } from './doctor/settings.check.ts'

const usage = `Usage: npm run doctor -- [--text +61491570006] [--mail ada@example.org]
       npm run doctor -- --centrifugo-config

Checks every setting, the database, documents, Centrifugo, texts, mails, the certificate and APP_URL, and changes nothing.
  --text   sends a test text to this mobile, with its country code
  --mail   sends a test mail
  --centrifugo-config   prints config.json of Centrifugo for these settings, with its secrets, and checks nothing
  --help, --version
Exit code: 0 no faults, 1 faults found, 2 wrong usage.`

process.exitCode = answersWords(process.argv.slice(2), usage) ? 0 : await main()

async function main(): Promise<number> {
  if (process.argv.includes('--centrifugo-config')) return printCentrifugoConfig()
  const receivers = readArguments()
  if (!receivers) {
    console.error(usage)
    return 2
  }
  let wrong = 0
  const tell = (findings: readonly Finding[]) => {
    wrong += report(findings)
  }
  const config = readAll(tell)
  if (config) await examine(config, receivers, tell).catch((error) => tell([fault((error as Error).message)]))
  console.log(wrong > 0 ? `${wrong} to fix` : 'Nothing to fix.')
  return wrong > 0 ? 1 : 0
}

function printCentrifugoConfig(): number {
  const { appUrl, centrifugo, secretKey, dataDir } = readConfig()
  if (!centrifugo) {
    console.error('CENTRIFUGO_URL is not set: set it and CENTRIFUGO_API_KEY to what they will be.')
    return 1
  }
  const key = deriveSecrets(loadSecretKey(secretKey, dataDir)).realtime
  console.log(JSON.stringify(centrifugoConfig({ appUrl, centrifugo, key }), null, 2))
  return 0
}

/** The settings. Undefined if they are unusable; every reason has been reported then. */
function readAll(tell: (findings: readonly Finding[]) => void): Config | undefined {
  try {
    const config = readConfig()
    tell(checkSettings(config))
    return config
  } catch (error) {
    tell((error as Error).message.split('\n').map(fault))
    return undefined
  }
}

async function examine(config: Config, receivers: TestReceivers, tell: (findings: readonly Finding[]) => void) {
  tell([await checkDocuments(config)])
  tell(await checkAddress(config.appUrl, config.trustedProxies, config.centrifugo?.publicUrl))
  if (config.centrifugo) tell(await checkCentrifugo(config, config.centrifugo))
  const database = await openDatabase(config, { info: () => undefined, warn: () => undefined }, { as: 'command' })
  const pool = openPool(database.connection, undefined, 2)
  try {
    tell(await checkDatabase(database.connection, config))
    // texts that arrive while the connection is open belong to the running server
    const jobs = { enqueue: () => Promise.reject(new Error('the doctor takes no texts in')) }
    tell(await checkServices(pool.db, jobs, config, receivers))
    tell((await listRescues(pool.db, config).catch(notMigrated)).map(warning))
    tell(await checkKeys(pool.db, config).catch(notMigrated))
  } finally {
    await pool.close()
    await database.stop()
  }
}

/** Before the first start of this version the tables are missing, or one of their columns. */
function notMigrated(error: { code?: string }): never[] {
  if (error.code === '42P01' || error.code === '42703') return []
  throw error
}

function readArguments(): TestReceivers | undefined {
  try {
    const { values } = parseArgs({ options: { text: { type: 'string' }, mail: { type: 'string' } } })
    return values.text !== undefined && !/^\+\d{6,15}$/.test(values.text) ? undefined : values
  } catch {
    return undefined
  }
}
