import { hash, type Options, verify } from '@node-rs/argon2'
import { inTurns } from './turns.ts'

/** Argon2id at OWASP's floor: about 8 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

interface Hashing {
  hash: (password: string, cost: Options) => Promise<string>
  verify: (storedHash: string, password: string) => Promise<boolean>
}

/** Two at a time per process, so that a surge of sign-ins leaves the cores to the people already in the event. */
export function passwordsBy({ hash, verify }: Hashing) {
  const inTurn = inTurns(2, 2_000)
  const hashPassword = (password: string) => inTurn(() => hash(password, cost))
  const verifyPassword = (storedHash: string, password: string) => inTurn(() => verify(storedHash, password))
  let nobody: string | undefined
  return {
    hashPassword,
    verifyPassword,
    /** Same work for an unknown account as for a known one, so that the answer's time tells nothing (T9). Always false. */
    async verifyNobody(password: string): Promise<false> {
      nobody ??= await hashPassword('nobody has this password')
      await verifyPassword(nobody, password)
      return false
    },
  }
}

export const { hashPassword, verifyPassword, verifyNobody } = passwordsBy({ hash, verify })
