import type { Tx } from '#server/platform/db/db.ts'
import { headerOf } from './files/directory-files.ts'
import { type Listing, listing, noListing } from './preview.ts'
import type { CheckedTables } from './read-tables.ts'
import { organisationCells } from './stored/row-to-cells.ts'
import type { RowWriter } from './writing/row-writer.ts'
import { type ClientValues, insertClient } from './writing/writing.queries.ts'

interface ClientPlan {
  /** Undefined if the organisation stays as it is. */
  kind: 'created' | 'updated' | undefined
  added: Listing
  changed: Listing
  write: (tx: Tx) => Promise<void>
}

/** The organisation itself: a new one, or the columns that differ. */
export function planClient({ organisation, client, known }: CheckedTables, writer: RowWriter): ClientPlan {
  const { row, columns } = organisation
  const { code, ...values } = row
  const own: Own = {
    ...Object.fromEntries(Object.entries(values).filter(([column]) => columns.has(headerOf(column)))),
    name: row.name,
  }
  const differing = client ? changedColumns(client, own) : Object.keys(own)
  const [before, after] = [client && organisationCells(client), organisationCells(row)]
  const told = listing([row], ({ name }) => ({
    key: client?.uid ?? null,
    line: 2,
    title: `${code} ${name}`,
    cells: differing.map(headerOf).map((column) => ({
      column,
      before: before?.[column] || null,
      after: after[column] || null,
    })),
  }))
  if (!client)
    return {
      kind: 'created',
      added: told,
      changed: noListing,
      write: (tx) => insertClient(tx, { uid: known.client.uid, code, ...own }),
    }
  const isChanged = differing.length > 0
  return {
    kind: isChanged ? 'updated' : undefined,
    added: noListing,
    changed: isChanged ? told : noListing,
    write: (tx) => writer.organisation(tx, own, differing.map(headerOf)),
  }
}

type Own = Partial<ClientValues> & { name: string }

const changedColumns = (client: object, own: object) =>
  Object.entries(own)
    .filter(([name, value]) => client[name as keyof typeof client] !== value)
    .map(([name]) => name)
