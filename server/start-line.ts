import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from './platform/config/config.ts'
import type { Db } from './platform/db/db.ts'
import { version } from './platform/version.ts'

/** Logs the first line of a process: versions, roles, database, gateways and mail. Never an address with a password. */
export function logStart(log: Logger, config: Config, postgresVersion: string): void {
  const { databaseUrl, centrifugo, documentsBucket, mail, smsGateways, roles, appUrl, production, misspelt } = config
  log.info(
    {
      version,
      node: process.version,
      production,
      appUrl,
      roles,
      database: `PostgreSQL ${postgresVersion}, ${databaseUrl ? 'your own' : 'embedded'}`,
      sockets: centrifugo ? 'Centrifugo' : 'own hub',
      documents: documentsBucket ? 'bucket' : 'folder',
      texts: smsGateways.join(', ') || 'none',
      mails: mail === 'simulator' ? mail : mail ? 'SMTP' : 'none',
    },
    'Evac is ready',
  )
  for (const sentence of misspelt) log.warn(sentence)
  if (smsGateways.length === 0) log.warn('No texts are sent: SMS_GATEWAY is not set. Every text fails.')
  if (!mail)
    log.warn("No mails are sent: SMTP_URL is not set. 'Forgot Password' tells people to ask the administrator.")
}

export async function readPostgresVersion(owner: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(owner)
  return rows[0]?.version ?? ''
}
