import { statSync } from 'node:fs'
import type { Config } from '../../platform/config/config.ts'
import { type Finding, good, warning } from './finding.ts'

/** Checks the settings alone. */
export function checkSettings(config: Config): Finding[] {
  const { production, appUrl, smsGateways, mail, databaseUrl, dataDir } = config
  const inProduction = [
    !appUrl.startsWith('https:') && warning(`APP_URL is ${appUrl}: phones need https:// to sign in safely`),
    !databaseUrl && warning('DATABASE_URL is not set: the embedded database on this machine is used'),
    smsGateways.length === 0 && warning('SMS_GATEWAY is not set: no texts are sent'),
    !mail && warning('SMTP_URL is not set: no mails are sent'),
  ].filter((finding) => finding !== false)
  const mode = statSync(dataDir, { throwIfNoEntry: false })?.mode ?? 0o700
  return [
    production ? good('NODE_ENV is production') : warning('NODE_ENV is not production: this is a demo'),
    ...config.misspelt.map(warning),
    ...(production ? inProduction : []),
    (mode & 0o066) === 0
      ? good(`${dataDir} is readable by its owner only`)
      : warning(`${dataDir} is readable by others: chmod 700 ${dataDir}`),
  ]
}
