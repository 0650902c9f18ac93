import type { Db, Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { Touching } from './protect-on-duty.ts'

export type ChangeKind = 'created' | 'updated' | 'ended'
/** Told of rows that are written, once they are. */
export type OnDone = (file: string, kind: ChangeKind, rows: number) => void

/** Up to this number of rows, everything is one transaction. */
export const fewRows = 5_000
/** Rows per transaction above that. A transaction delays the real-time feed of all organisations: 5,000 rows by half a second. */
const stepRows = 500

/** The share of a part that one transaction writes. */
interface Piece {
  rows: number
  touching: Partial<Touching>
  write(tx: Tx): Promise<void>
  /** Called after the commit. */
  done(): void
}

/** Work that may be divided between its atoms. An atom is never divided. */
export interface Part {
  sizes: readonly number[]
  piece(from: number, to: number): Piece
}

export interface Work<T> {
  /** Rows that an atom writes. Default: 1. */
  size?: (atom: T) => number
  /** The people whom they affect. */
  touching?: (atoms: readonly T[]) => Partial<Touching>
  write: (tx: Tx, atoms: readonly T[]) => Promise<void>
  done: (atoms: readonly T[]) => void
}

export function part<T>(atoms: readonly T[], { size = () => 1, touching = () => ({}), write, done }: Work<T>): Part {
  const sizes = atoms.map(size)
  return {
    sizes,
    piece(from, to) {
      const own = atoms.slice(from, to)
      return {
        rows: sizes.slice(from, to).reduce((sum, rows) => sum + rows, 0),
        touching: touching(own),
        write: (tx) => write(tx, own),
        done: () => done(own),
      }
    },
  }
}

export const rowsIn = (parts: readonly Part[]) =>
  parts.reduce((sum, { sizes }) => sum + sizes.reduce((rows, size) => rows + size, 0), 0)

/** Divides the work into transactions, in order. A few changes are one. An atom larger than a step is a step of its own. */
export async function runSteps(
  session: Db,
  parts: readonly Part[],
  hold: (tx: Tx, touching: readonly Partial<Touching>[]) => Promise<void>,
  onRows: (rows: number) => void,
): Promise<void> {
  for (const step of stepsOf(parts, rowsIn(parts) > fewRows ? stepRows : fewRows)) {
    await session.transaction().execute(async (tx) => {
      await hold(
        tx,
        step.map(({ touching }) => touching),
      )
      for (const piece of step) await piece.write(tx)
    })
    for (const { done, rows } of step) {
      done()
      onRows(rows)
    }
  }
}

/** All of the work in the caller's transaction. Throws above the rows of one transaction: a form has fewer. */
export async function writeAll(
  tx: Tx,
  parts: readonly Part[],
  hold: (touching: readonly Partial<Touching>[]) => Promise<void>,
): Promise<void> {
  if (rowsIn(parts) > fewRows) throw new Refusal('invalid_request', `More than ${fewRows} rows would change at once.`)
  const pieces = [...stepsOf(parts, Number.POSITIVE_INFINITY)].flat()
  await hold(pieces.map(({ touching }) => touching))
  for (const piece of pieces) await piece.write(tx)
}

function* stepsOf(parts: readonly Part[], mostRows: number): Generator<Piece[]> {
  let step: Piece[] = []
  let room = mostRows
  for (const { sizes, piece } of parts) {
    let from = 0
    for (const [at, size] of sizes.entries()) {
      if (size > room && room < mostRows) {
        if (at > from) step.push(piece(from, at))
        yield step
        step = []
        room = mostRows
        from = at
      }
      room -= size
    }
    if (sizes.length > from) step.push(piece(from, sizes.length))
  }
  if (step.length > 0) yield step
}
