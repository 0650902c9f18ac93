import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { moveOrganisation, type OtherCell } from '#features/cells/server/move/move.service.ts'
import { WholeError } from '#features/cells/server/whole/whole-file.ts'
import type { Config } from '../platform/config/config.ts'
import { readSafeAddress } from '../platform/config/service-addresses.ts'
import { exportTo } from './organisation-whole.ts'
import type { Migrated } from './with-database.ts'

interface Asked {
  code: string
  to: string
  /** What runs `npm run organisation --` at the other cell. */
  by: string
  /** The same path at both cells. Empty: second factors stay behind. */
  passphraseFile: string
}

/** Moves the organisation. Returns what to say. */
export async function moveTo(
  migrated: Migrated,
  config: Config,
  { code, to, by, passphraseFile }: Asked,
): Promise<string> {
  const address = readSafeAddress('--to', to)
  if (address === config.appUrl)
    throw new WholeError(`${address} is this installation: name the one that ${code} moves to.`)
  // the code is a word of a command there
  if (!/^[\w.-]+$/.test(code)) throw new WholeError(`Only a code of letters, digits, _, - and . can be moved.`)
  const folder = await mkdtemp(join(tmpdir(), 'evac-move-'))
  const path = join(folder, 'organisation')
  const words = passphraseFile ? ['--passphrase-file', passphraseFile] : []
  const there: OtherCell = {
    address,
    discard: (discarded) => run(by, ['discard', discarded]),
    bringIn: (file) => run(by, ['import-whole', '-', '--suspended', ...words], file),
    resume: (resumed) => run(by, ['resume', resumed]),
  }
  try {
    await moveOrganisation(migrated.system, code, there, async () => {
      console.log(await exportTo(migrated, config, code, { path, passphraseFile }))
      return path
    })
  } finally {
    await rm(folder, { recursive: true, force: true }) // it holds personal data
  }
  return `${code} has moved to ${address}. People who come here are sent there.`
}

/** Runs the words behind the operator's own command, which may be `ssh` to another machine. Throws if it does not end well. */
async function run(by: string, words: readonly string[], input?: string): Promise<void> {
  const child = spawn('sh', ['-c', `${by} "$@"`, 'sh', ...words], {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'inherit', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  // a command that ends early reads no further: its exit code says why
  if (input !== undefined && child.stdin) await pipeline(createReadStream(input), child.stdin).catch(() => undefined)
  const code = await ended
  if (code !== 0)
    throw new WholeError(
      `At the other installation '${words[0]}' ended with ${code}. Run this command again: it goes on where it was.`,
    )
}

/** What comes in, as a file that only its owner can read. */
export async function fileOfInput(work: (path: string) => Promise<string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evac-input-'))
  try {
    const path = join(folder, 'organisation')
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }))
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true }) // it holds personal data
  }
}
