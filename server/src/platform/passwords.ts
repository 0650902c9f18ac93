import { hash, verify } from '@node-rs/argon2'
import { inTurns } from './turns.ts'

/** Argon2id at OWASP's floor: about 8 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** Two at a time per process, so that a surge of sign-ins leaves the cores to the people already in the event. */
const inTurn = inTurns(2, 2_000)

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost))
}

export function verifyPassword(storedHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(storedHash, password))
}

/** Same work for an unknown account as for a known one, so that the answer's time tells nothing (T9). Always false. */
export async function verifyNobody(password: string): Promise<false> {
  nobody ??= hashPassword('nobody has this password')
  await verifyPassword(await nobody, password)
  return false
}
let nobody: Promise<string> | undefined
