import { hash, type Options, verify } from '@node-rs/argon2'
import { fairTurns, type Turn } from './fair-turns.ts'

/** Argon2id at OWASP's floor: about 8 ms a hash. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

interface Hashing {
  hash: (password: string, cost: Options) => Promise<string>
  verify: (storedHash: string, password: string) => Promise<boolean>
}

/** With so many waiting, work that proves nothing is left out. */
const busy = 32
const anyTurn: Turn = { lane: '', rank: 0 }

/** Two at a time per process, so that a surge of sign-ins leaves the cores to the people already in the event. */
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
    /** Same work for an unknown account as for a known one, so that the answer's time tells nothing (T9). Always false. */
    async verifyNobody(password: string, turn = anyTurn): Promise<false> {
      nobody ??= await hashPassword('nobody has this password', turn)
      await verifyPassword(nobody, password, turn)
      return false
    },
    /** The turn without the work, where the caller holds the answer back for longer than the work takes. */
    waitAsNobody: (turn: Turn) => inTurn(turn, async () => {}),
  }
}

export const { hashPassword, verifyPassword, verifyNobody, waitAsNobody, isBusy } = passwordsBy({ hash, verify })
