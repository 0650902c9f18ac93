import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const project = resolve(import.meta.dirname, '..')
const run = promisify(execFile)

/** Loads a folder of CSV as a further organisation, with the product's own command. `env` says into which database. */
export async function importFolder(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['server/src/commands/import-main.ts', folder, '--new-organisation']
  await run(process.execPath, args, { cwd: project, env })
}
