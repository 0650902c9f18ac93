import {
  lockSecondFactor,
  takeRecoveryCode,
  takeStep,
} from '#features/authority/server/writes/second-factors.queries.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { record } from '#server/platform/db/journal.ts'
import { forgetRecentOfNetwork, takeRecentOfNetwork } from '#server/platform/db/network-limits.ts'
import { countEach } from '#server/platform/db/throttle.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Network } from '#server/platform/network.ts'
import { hashRecoveryCode, isSixDigits, plainCode, stepOf } from '#server/platform/one-time-codes.ts'
import { decrypt, keyring } from '#server/platform/secrets.ts'
import type { Grant } from './grants.queries.ts'

/** Codes that an account may try from one network. */
const codesOfNetwork = { limit: 5, minutes: 15 }
/** From all networks together. Above it each network still has a few of its own, which nobody else can use up. */
const codesOfAccount = { limit: 50, minutes: 60 }
const codesOfGuessed = { limit: 2, minutes: 60 }

const doorOf = (accountUid: string) => `code/${accountUid}`

/** Uses up one try before the code is looked at, because tries at once could slip through otherwise. */
export async function takeCodeTry({ system, clock }: Services, accountUid: string, network: Network): Promise<void> {
  const now = clock.now()
  const door = doorOf(accountUid)
  const [all = 0] = await countEach(system, [[door, codesOfAccount]], now)
  const isLeft =
    (await takeRecentOfNetwork(system, door, network, codesOfNetwork, now)) &&
    (all <= codesOfAccount.limit ||
      (await takeRecentOfNetwork(system, `${door}/guessed`, network, codesOfGuessed, now)))
  if (!isLeft)
    throw new Refusal('too_many_attempts', `Too many failed attempts. Try again in ${codesOfNetwork.minutes} minutes.`)
}

/** A right code clears the tries of its network. */
export const forgetCodeTries = ({ system }: Services, accountUid: string, network: Network): Promise<void> =>
  forgetRecentOfNetwork(system, doorOf(accountUid), network)

type Owner = Pick<Grant, 'accountUid' | 'clientUid' | 'personUid'>

/**
 * Takes a code of the authenticator, each time step once and none before the last, or a recovery code, once.
 * Throws `wrong_code`.
 */
export async function proveCode(tx: Tx, app: Services, owner: Owner, entry: string): Promise<void> {
  const code = plainCode(entry)
  const isRight = isSixDigits(code)
    ? await proveStep(tx, app, owner, code)
    : await useRecoveryCode(tx, app, owner, code)
  if (!isRight) throw new Refusal('wrong_code')
}

async function proveStep(tx: Tx, { secrets, clock }: Services, { accountUid }: Owner, code: string): Promise<boolean> {
  const factor = await lockSecondFactor(tx, accountUid)
  const secret = factor && decrypt(keyring(secrets, 'secondFactors'), factor.secret, accountUid)
  if (!secret) return false
  const step = stepOf(secret, code, clock.now())
  if (step === undefined || step <= factor.lastStep) return false
  await takeStep(tx, accountUid, step)
  return true
}

async function useRecoveryCode(tx: Tx, { secrets }: Services, owner: Owner, code: string): Promise<boolean> {
  const { accountUid, clientUid, personUid } = owner
  const hashes = keyring(secrets, 'recoveryCodes').map((key) => hashRecoveryCode(key, accountUid, code))
  if (!(await takeRecoveryCode(tx, accountUid, hashes))) return false
  await record(
    tx,
    { clientUid, personUid, signInUid: null },
    { action: 'recovery_code_used', subjectType: 'person', subjectUid: personUid },
  )
  return true
}
