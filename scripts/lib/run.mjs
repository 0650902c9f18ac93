import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const at = (...parts) => join(root, ...parts)

const children = new Set()
let stopping = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (children.size === 0) process.exit(128 + constants.signals[signal])
    // A terminal sends ^C to the children as well, and npm repeats it.
    const hasReachedThem = signal === 'SIGINT' && process.stdin.isTTY
    if (hasReachedThem) stopping = true
    else stopChildren(signal)
  })
}

// If npm is killed with SIGKILL, its children would go on and keep the port.
if (process.env.npm_lifecycle_event) {
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && stopChildren('SIGTERM'), 500).unref()
}

/** Sends the signal once. A second signal may make a server stop at once. */
function stopChildren(signal) {
  if (!stopping) for (const child of children) child.kill(signal)
  stopping = true
}

/** Runs a program to its end. `quiet` returns its output instead of showing it. */
export function run(command, args, { quiet = false, ...options } = {}) {
  const child = spawn(command, args, { cwd: root, stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit', ...options })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      children.delete(child)
      reject(error)
    })
    child.once('close', (code, signal) => {
      children.delete(child)
      const result = { code: code ?? 128 + constants.signals[signal], output }
      if (!stopping) resolve(result)
      else if (children.size === 0) process.exit(result.code)
    })
  })
}

/** Reads settings of the product from the file .env of the project, if there is one. The environment wins. */
export const withSettings = (program, ...words) => [
  // --env-file-if-exists would say each time that there is none
  ...(existsSync(at('.env')) ? [`--env-file=${at('.env')}`] : []),
  program,
  ...words,
]

/** Runs several programs. When one ends, the others are stopped. Returns the first exit code. */
export async function runTogether(...starts) {
  const runs = starts.map((start) => start())
  const { code } = await Promise.race(runs)
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(runs)
  return code
}

/** Runs a script. Prints a Trouble as a sentence and sets the exit code. */
export async function main(work) {
  try {
    process.exitCode = (await work(process.argv.slice(2))) ?? 0
  } catch (error) {
    console.error(error instanceof Trouble ? error.message : error)
    process.exitCode = 1
  }
}

/** An error that the reader can fix. Its message says how. */
export class Trouble extends Error {}
