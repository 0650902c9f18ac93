import { asAdministrator } from '#features/authority/server/decide.ts'
import { tellingOf } from '#features/authority/server/told.service.ts'
import { changeDirectory, type FormRows, requireNone } from '#features/directory/server/change-directory.service.ts'
import type { Administrator } from '#server/administrators/administrator.ts'
import { journalAdministrator } from '#server/administrators/administrator.ts'
import type { Services } from '#server/http/services.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { Refusal } from '#server/platform/errors.ts'

/** The fields of a form by the columns of the import format. */
const fields: Readonly<Record<string, string>> = {
  date_from: 'from',
  date_to: 'to',
  locations: 'places',
  person: 'people',
  area_domain: 'domain',
}

/** Saves rows by the rules of an import. Throws `invalid_request` that names the fields of the form. */
export async function save(
  { clock, config, jobs }: Pick<Services, 'clock' | 'config' | 'jobs'>,
  tx: Tx,
  administrator: Administrator,
  rows: FormRows,
) {
  const now = clock.now()
  const acting = { as: asAdministrator(administrator), telling: tellingOf({ config, jobs, now }) }
  const changed = await changeDirectory(tx, { by: journalAdministrator(administrator), acting, rows, now })
  const problems = changed.problems?.map((problem) => ({
    ...problem,
    column: fields[problem.column] ?? problem.column,
  }))
  if (changed.problems) requireNone({ problems: problems ?? [] })
  else return changed
  throw new Refusal('invalid_request')
}

export const inEvent = (site: string) =>
  new Refusal('in_event', `An event is running at ${site}. This can be changed when it has ended.`)

/** Throws `changed_since` if someone else has changed the row since the form was read. */
export function requireVersion(held: { version: string; changedAt: string }, version: string): void {
  if (held.version !== version) throw new Refusal('changed_since', `Someone else changed this at ${held.changedAt}.`)
}
