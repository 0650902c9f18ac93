import { parseArgs } from 'node:util'
import { listRescues } from '#features/administrators/server/owed-links.service.ts'
import { answersWords } from '../platform/command-line.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import { openPool } from '../platform/db/db.ts'
import { openDatabase } from '../platform/postgres/database.ts'
import { checkAddress } from './doctor/address.check.ts'
import { checkDatabase } from './doctor/database.check.ts'
import { checkDocuments } from './doctor/documents.check.ts'
import { type Finding, fault, good, warning } from './doctor/finding.ts'
import { checkServices, type TestReceivers } from './doctor/services.check.ts'
import { checkSettings } from './doctor/settings.check.ts'

const usage = `Usage: npm run doctor -- [--text +61491570006] [--mail ada@example.org]

Checks every setting, the database, documents, Redis, texts, mails, the certificate and APP_URL, and changes nothing.
  --text   sends a test text to this mobile, with its country code
  --mail   sends a test mail
  --help, --version
Exit code: 0 no faults, 1 faults found, 2 wrong usage.`

const signs = { good: 'ok     ', note: 'note   ', warning: 'WARNING', fault: 'FAULT  ' }

process.exitCode = answersWords(process.argv.slice(2), usage) ? 0 : await main()

async function main(): Promise<number> {
  const receivers = readArguments()
  if (!receivers) {
    console.error(usage)
    return 2
  }
  let wrong = 0
  const tell = (findings: readonly Finding[]) => {
    for (const { state, what } of findings) console.log(`${signs[state]} ${what}`)
    wrong += findings.filter(({ state }) => state === 'fault').length
  }
  const config = readAll(tell)
  if (config) await examine(config, receivers, tell).catch((error) => tell([fault((error as Error).message)]))
  console.log(wrong > 0 ? `${wrong} to fix` : 'Nothing to fix.')
  return wrong > 0 ? 1 : 0
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
  if (config.redisUrl) tell([await checkRedis(config.redisUrl)])
  tell(await checkAddress(config.appUrl, config.trustedProxies))
  const database = await openDatabase(config, { info: () => undefined, warn: () => undefined }, { as: 'command' })
  const pool = openPool(database.connection, undefined, 2)
  try {
    tell(await checkDatabase(database.connection, config))
    // texts that arrive while the connection is open belong to the running server
    const jobs = { enqueue: () => Promise.reject(new Error('the doctor takes no texts in')) }
    tell(await checkServices(pool.db, jobs, config, receivers))
    tell((await listRescues(pool.db, config).catch(notMigrated)).map(warning))
  } finally {
    await pool.close()
    await database.stop()
  }
}

/** Before the first start of this version the tables are missing, or one of their columns. */
function notMigrated(error: { code?: string }): string[] {
  if (error.code === '42P01' || error.code === '42703') return []
  throw error
}

async function checkRedis(url: string): Promise<Finding> {
  const { createClient } = await import('@redis/client')
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 5_000 } })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.ping()
    return good('Redis answers')
  } catch (error) {
    return fault(`Redis does not answer: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`)
  } finally {
    if (client.isOpen) client.destroy()
  }
}

function readArguments(): TestReceivers | undefined {
  try {
    const { values } = parseArgs({ options: { text: { type: 'string' }, mail: { type: 'string' } } })
    return values.text !== undefined && !/^\+\d{6,15}$/.test(values.text) ? undefined : values
  } catch {
    return undefined
  }
}
