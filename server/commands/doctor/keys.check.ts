import { countWallsOfOtherKeys } from '#features/board/server/walls/walls.service.ts'
import { countHanging } from '#features/sign-in/server/console/former-keys.service.ts'
import { sessionHours } from '#kernel/limits.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import { deriveSecrets, findSecretKey } from '../../platform/secrets.ts'
import { type Finding, fault, good, note } from './finding.ts'

/** Checks whether second factors can be read, and what still needs SECRET_KEY_PREVIOUS. */
export async function checkKeys(
  db: Db,
  config: Pick<Config, 'secretKey' | 'formerSecretKeys' | 'dataDir'>,
): Promise<Finding[]> {
  const secretKey = findSecretKey(config.secretKey, config.dataDir)
  // before the first start there is none
  if (!secretKey) return []
  const secrets = deriveSecrets(secretKey, config.formerSecretKeys)
  const { lost, factors, codes, accounts } = await countHanging(db, secrets)
  const walls = await countWallsOfOtherKeys(db, secrets.walls)
  const findings: Finding[] = lost > 0 ? [fault(lostFactors(lost))] : []
  if (config.formerSecretKeys.length === 0) return findings
  const needs = [
    factors > 0 && `${count(factors, 'second factor')}, which workers seal anew within a minute`,
    walls > 0 && `${count(walls, 'link')} of wall screens: make new ones, or wait until they end`,
    codes > 0 &&
      `${count(codes, 'recovery code')} of ${count(accounts, 'administrator')}, who can make new ones in the console`,
  ].filter((need) => need !== false)
  return [
    ...findings,
    ...needs.map((need) => note(`SECRET_KEY_PREVIOUS is still needed for ${need}`)),
    ...(needs.length === 0 ? [good(unneeded)] : []),
  ]
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

const lostFactors = (lost: number) =>
  `${count(lost, 'second factor')} cannot be read with SECRET_KEY: name the key that sealed them in SECRET_KEY_PREVIOUS, or run npm run organisation -- reset-second-factor CODE EMAIL for each administrator`

const unneeded = `Nothing that is stored needs SECRET_KEY_PREVIOUS any more: take it out ${sessionHours} hours after the last node was restarted with the new key`
