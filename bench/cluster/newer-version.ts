import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')
/** Linked files would load what they import from the repository. */
const program = ['kernel', 'features', 'server']

/** While an older node serves, a migration may only add. */
const migration = `
  alter table evacuee add column trial text;
  alter table warden_sign_in add column trial text;
  alter table journal add column trial text;
  create index evacuee_trial on evacuee (client_uid, trial) where trial is not null;
`

/** Copies the program into a folder and adds a migration. Returns the file that starts the copy. */
export function makeNewerVersion(folder: string): string {
  const home = join(folder, 'newer')
  mkdirSync(home)
  for (const name of readdirSync(repository))
    if (![...program, 'data'].includes(name)) symlinkSync(join(repository, name), join(home, name))
  for (const name of program) cpSync(join(repository, name), join(home, name), { recursive: true })
  writeFileSync(join(home, 'server/migrations/9000-trial.sql'), migration)
  return join(home, 'server/main.ts')
}
