import { execFile } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Megabytes that are enough for a small database and its write-ahead log, with an upload of up to `largeUpload` people. */
const size = 700
const largeUpload = 50_000
/** People beyond that for whom a megabyte is enough: their files, difference, rows and log, there and back. */
const peopleOfMegabyte = 50

export interface Disk {
  folder: string
  /** Why this disk cannot be filled. Undefined if it can. */
  unfillable: string | undefined
  /** Uses up all free space. */
  fill(): void
  free(): void
  unmount(): Promise<void>
}

/**
 * A small disk in memory for the database, with room for an upload of so many people. Only root can mount it. Without root it
 * is a plain folder.
 */
export async function mountDisk(folder: string, people: number): Promise<Disk> {
  mkdirSync(folder, { mode: 0o711 })
  const room = size + Math.ceil(Math.max(0, people - largeUpload) / peopleOfMegabyte)
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${room}m,mode=0711`, 'evac-faults', folder]).then(
    () => true,
    () => false,
  )
  const ballast = join(folder, 'ballast')
  return {
    folder,
    unfillable: mounted ? undefined : 'a small disk can only be mounted as root, on Linux',
    fill() {
      const file = openSync(ballast, 'w')
      try {
        for (let piece = 1 << 20; piece >= 1; piece = piece >> 4) writeUntilFull(file, Buffer.alloc(piece))
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    async unmount() {
      if (mounted) await run('umount', ['-l', folder])
    },
  }
}

function writeUntilFull(file: number, piece: Buffer): void {
  try {
    while (writeSync(file, piece) === piece.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
