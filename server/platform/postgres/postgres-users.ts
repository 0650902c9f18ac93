import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { processExists } from './postgres-folder.ts'

/** This process's own claims. */
const own = new Set<string>()

/**
 * Says in the data folder that this program uses the embedded server. The last program to leave stops it. Connections do not
 * tell: those of a program that leaves end some time after it has closed them.
 */
export function claimServer(dataDir: string) {
  const folder = join(dataDir, 'users')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const name = `${process.pid}.${randomUUID()}`
  own.add(name)
  writeFileSync(join(folder, name), startOf(process.pid))
  return {
    /** Gives the claim up. True if another program that lives has one. */
    leave(): boolean {
      own.delete(name)
      rmSync(join(folder, name), { force: true })
      return readdirSync(folder).some((other) => isHeld(folder, other))
    },
  }
}

/** A killed program leaves its claim, and its pid may be another program's by now. */
function isHeld(folder: string, name: string): boolean {
  const pid = Number.parseInt(name, 10)
  const isOurs = pid === process.pid
  const holds = isOurs ? own.has(name) : processExists(pid) && startOf(pid) === readClaim(folder, name)
  if (!holds) rmSync(join(folder, name), { force: true })
  return holds
}

function readClaim(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    return undefined
  }
}

/** When the process began, in ticks since the machine did. Empty where the system does not tell it like Linux. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
