import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from './platform/config/config.ts'
import type { Db } from './platform/db/db.ts'
import { version } from './platform/version.ts'

/** The first line of a process: what runs, on what, and by which ways texts and mails leave. Never an address with a password. */
export async function logStart(log: Logger, config: Config, owner: Db): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(owner)
  const { databaseUrl, redisUrl, documentsBucket, mail, smsGateways, roles, appUrl, production, misspelt } = config
  log.info(
    {
      version,
      node: process.version,
      production,
      appUrl,
      roles,
      database: `PostgreSQL ${rows[0]?.version}, ${databaseUrl ? 'your own' : 'embedded'}`,
      wakeUps: redisUrl ? 'Redis' : 'database',
      documents: documentsBucket ? 'bucket' : 'folder',
      texts: smsGateways.join(', ') || 'none',
      mails: mail === 'simulator' ? mail : mail ? 'SMTP' : 'none',
    },
    'Evac is ready',
  )
  for (const sentence of misspelt) log.warn(sentence)
  if (smsGateways.length === 0) log.warn('No text leaves: SMS_GATEWAY names no gateway. Every text fails.')
  if (!mail) log.warn("No mail leaves: SMTP_URL is not set. 'Forgot Password' sends people to the administrator.")
}
