import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const repository = join(import.meta.dirname, '../..')

/** What a migration may do while an older node serves: add. */
const migration = `
  alter table evacuee add column ordeal text;
  alter table warden_sign_in add column ordeal text;
  alter table journal add column ordeal text;
  create index evacuee_ordeal on evacuee (client_uid, ordeal) where ordeal is not null;
`

/** The same program with one migration more, in a folder of its own. Answers what starts it. */
export function makeNewerVersion(folder: string): string {
  const home = join(folder, 'newer')
  mkdirSync(home)
  for (const name of readdirSync(repository))
    if (!['server', 'data'].includes(name)) symlinkSync(join(repository, name), join(home, name))
  cpSync(join(repository, 'server'), join(home, 'server'), {
    recursive: true,
    filter: (source) => !source.endsWith('node_modules'),
  })
  writeFileSync(join(home, 'server/migrations/9000-ordeal.sql'), migration)
  return join(home, 'server/src/main.ts')
}
