import { execFile } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Enough for a small database and its write-ahead log. */
const size = '700m'

export interface Disk {
  folder: string
  /** Why this disk cannot be filled. Undefined if it can. */
  unfillable: string | undefined
  /** Uses up all free space. */
  fill(): void
  free(): void
  unmount(): Promise<void>
}

/** A small disk in memory for the database. Only root can mount it. Without root it is a plain folder. */
export async function mountDisk(folder: string): Promise<Disk> {
  mkdirSync(folder, { mode: 0o711 })
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0711`, 'evac-faults', folder]).then(
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
