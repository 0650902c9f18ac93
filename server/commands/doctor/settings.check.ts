import { accessSync, constants, statSync } from 'node:fs'
import { lastBackupIn } from '#features/operation/server/backup/last-backup.ts'
import type { Config } from '../../platform/config/config.ts'
import { type Finding, fault, good, warning } from './finding.ts'

/** Hours. A backup a day, and two more for a day that is busy. */
const oldestBackup = 26

/** Checks the settings, and the folder that they name. */
export function checkSettings(config: Config): Finding[] {
  const { production } = config
  return [
    production ? good('NODE_ENV is production') : warning('NODE_ENV is not production: this is a demo'),
    ...config.misspelt.map(warning),
    ...(production ? checkProduction(config) : []),
    ...checkFolder(config.dataDir),
  ]
}

function checkProduction({ appUrl, smsGateways, mail, databaseUrl, metricsToken, dataDir }: Config): Finding[] {
  return [
    !appUrl.startsWith('https:') && warning(`APP_URL is ${appUrl}: phones need https:// to sign in safely`),
    !databaseUrl && warning('DATABASE_URL is not set: the embedded database on this machine is used'),
    smsGateways.length === 0 && warning('SMS_GATEWAY is not set: no texts are sent'),
    !mail && warning('SMTP_URL is not set: no mails are sent'),
    !metricsToken && fault('METRICS_TOKEN is not set: no one can read /metrics, so no alert tells of an outage'),
    judgeBackup(lastBackupIn(dataDir)),
  ].filter((finding) => finding !== false)
}

function judgeBackup(at: Date | undefined): Finding {
  if (!at) return warning('No `npm run backup` has ended with this DATA_DIR: make one each night (docs/runbook.md)')
  // a file may be a fraction of a millisecond younger than the clock says
  const hours = Math.max(0, Math.floor((Date.now() - at.getTime()) / 3_600_000))
  return hours >= oldestBackup
    ? fault(`The last backup is ${hours} hours old: it should be made each night (docs/runbook.md)`)
    : good(`The last backup is ${hours} hours old`)
}

function checkFolder(dataDir: string): Finding[] {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found) return []
  if (!found.isDirectory()) return [fault(`DATA_DIR ${dataDir} is not a folder`)]
  return [
    mayWrite(dataDir)
      ? good(`DATA_DIR ${dataDir} is writable`)
      : fault(`DATA_DIR ${dataDir} is not writable for this account`),
    (found.mode & 0o066) === 0
      ? good(`${dataDir} is readable by its owner only`)
      : warning(`${dataDir} is readable by others: chmod 700 ${dataDir}`),
  ]
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
