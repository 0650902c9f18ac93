import { readdirSync, readlinkSync } from 'node:fs'

/** The postmaster and all its children at once, as the kernel's memory guard or a power cut would. */
export function killPostgres(cluster: string): void {
  for (const name of readdirSync('/proc')) if (Number(name) && isAtWorkIn(name, cluster)) signal(Number(name))
}

function isAtWorkIn(pid: string, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false // it has ended, or it is somebody else's
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it was faster
  }
}
