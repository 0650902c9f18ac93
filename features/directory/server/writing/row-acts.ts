import type { Act } from '#features/authority/table.ts'
import type { PersonUid } from '#kernel/ids.ts'
import type { ChangedRow } from '../stored/difference.ts'

export interface Acts {
  act: Act
  people: readonly PersonUid[]
}

/** The acts of changed people, and of those whose account gets other names. */
export function actsOf(changed: readonly ChangedRow<'person'>[], holders: readonly PersonUid[]) {
  const of = (isMeant: (change: ChangedRow<'person'>) => boolean) =>
    changed.filter(isMeant).map(({ row }) => row.uid as PersonUid)
  const has = ({ columns }: ChangedRow<'person'>, ...names: string[]) =>
    columns.some((column) => names.includes(column))
  const opens = (one: ChangedRow<'person'>) => has(one, 'accountUid') && one.held.accountUid === null
  const moves = (one: ChangedRow<'person'>) => has(one, 'email', 'mobile') || (has(one, 'accountUid') && !opens(one))
  const acts: Acts[] = [
    { act: 'address', people: [...new Set([...of(moves), ...holders])] },
    { act: 'deactivate', people: of((one) => has(one, 'kind') && one.row.kind === 'visitor') },
    { act: 'reactivate', people: of((one) => has(one, 'active') && one.row.active) },
  ]
  return { acts, opened: of((one) => opens(one) && !moves(one)) }
}
