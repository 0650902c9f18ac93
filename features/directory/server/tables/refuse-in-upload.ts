import { headerOf } from '../files/directory-files.ts'
import type { Problems } from '../files/problems.ts'
import type { RowSource } from '../files/row-source.ts'
import type { OrganisationFile } from '../read-tables.ts'

const days = ['retainMessagesDays', 'retainEventsDays', 'retainAuditDays', 'retainPeepsDays'] as const
const budgets = ['smsDailyLinks', 'smsDailyAlerts', 'dailyCalls'] as const

/** A file keeps things for longer, and texts and calls less. For the rest Settings know the installation, and say first what goes. */
export function refuseSettings(
  client: OrganisationFile['row'],
  { row, columns }: OrganisationFile,
  problems: Problems,
) {
  const differs = (column: (typeof days | typeof budgets)[number]) =>
    columns.has(headerOf(column)) && client[column] !== row[column]
  const refuse = (column: string, reason: string) => problems.add('organisation.csv', 2, headerOf(column), reason)
  for (const column of days.filter(differs))
    if ((row[column] ?? 0) < (client[column] ?? Number.POSITIVE_INFINITY))
      refuse(column, 'may delete data: change it in Settings, which first show what would go')
  for (const column of budgets.filter(differs))
    if (row[column] !== null && row[column] > (client[column] ?? -1))
      refuse(column, 'may be more than the installation allows: change it in Settings')
}

export const withoutPasswords = (source: RowSource): RowSource => ({
  ...source,
  async *rows(format, problems) {
    let isTold = false
    for await (const row of source.rows(format, problems)) {
      if (!('password' in row.cells)) {
        yield row
        continue
      }
      const reason = 'Passwords cannot be uploaded here: leave the column out and invite people instead.'
      if (!isTold) problems.addUnreadable(row.file, 1, 'password', reason)
      isTold = true
      yield { ...row, cells: { ...row.cells, password: '' } }
    }
  },
})
