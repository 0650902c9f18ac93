import { readdirSync, readlinkSync } from 'node:fs'

/** Kills the postmaster and all its children at once, like the kernel's OOM killer or a power cut. */
export function killPostgres(cluster: string): void {
  for (const name of readdirSync('/proc')) if (Number(name) && isAtWorkIn(name, cluster)) signal(Number(name))
}

function isAtWorkIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false // the process has ended, or belongs to another account
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // the process ended by itself
  }
}
