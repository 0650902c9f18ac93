import { hash, type Options, verify } from '@node-rs/argon2'
import { fairTurns, type Turn } from './fair-turns.ts'

/** Argon2id with OWASP's minimum parameters: about 8 ms per hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

interface Hashing {
  hash: (password: string, cost: Options) => Promise<string>
  verify: (storedHash: string, password: string) => Promise<boolean>
}

/** From this queue length on, dummy work is skipped. */
const busy = 32
const anyTurn: Turn = { lane: '', rank: 0 }

/** Two hashes at a time per process, so that a surge of sign-ins leaves CPU for people already in the event. */
export function passwordsBy({ hash, verify }: Hashing) {
  const inTurn = fairTurns(2, 2_000)
  const hashPassword = (password: string, turn = anyTurn) => inTurn(turn, () => hash(password, cost))
  const verifyPassword = (storedHash: string, password: string, turn = anyTurn) =>
    inTurn(turn, () => verify(storedHash, password))
  let nobody: string | undefined
  return {
    hashPassword,
    verifyPassword,
    isBusy: () => inTurn.waiting() >= busy,
    /**
     * Takes the same work for an unknown account as for a known one, so that timing reveals nothing. Always false.
     */
    async verifyNobody(password: string, turn = anyTurn): Promise<false> {
      nobody ??= await hashPassword('nobody has this password', turn)
      await verifyPassword(nobody, password, turn)
      return false
    },
    /** Waits for the turn without the work, if the caller delays the answer for longer than the work takes. */
    waitAsNobody: (turn: Turn) => inTurn(turn, async () => {}),
  }
}

export const { hashPassword, verifyPassword, verifyNobody, waitAsNobody, isBusy } = passwordsBy({ hash, verify })
