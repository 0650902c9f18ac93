import type { Table } from './catalogue.queries.ts'

/** Tables that an organisation does not take with it, and why. Every other table has to lead to the organisation. */
export const leftOut: Readonly<Record<string, string>> = {
  session: 'everyone signs in anew at the new address',
  console_session: 'everyone signs in anew at the new address',
  console_ticket: 'it lasts minutes',
  mobile_token: 'links of the old address end',
  password_reset: 'links of the old address end',
  push_phone: 'alerts belong to an address: phones turn them on anew',
  idempotency: 'it lasts days',
  throttle: 'it lasts minutes',
  recent_attempt: 'it lasts minutes',
  mail: 'it leaves from the old address, and is kept for days',
  sms_part: 'receipts reach the installation that has sent the text',
  inbound_text: 'it belongs to a number of the installation',
  inbound_piece: 'it belongs to a number of the installation',
  received_reply: 'it belongs to a number of the installation',
  simulated_text: 'simulated phones belong to the installation',
  simulated_mail: 'simulated mailboxes belong to the installation',
  record_export: 'the file lasts a day',
  directory_export: 'the file lasts an hour',
  head_log:
    'it is one for the installation. Heads stand in record_head, and the first one that is signed here covers them',
  witness_signature: 'it is of the log of heads',
  witness_refusal: 'it is of the log of heads',
  feed_epoch: 'it is of the database',
  steady_clock: 'it is of the database',
  centrifugo_position: 'it is of the database',
  kysely_migration: 'it is of the database',
  kysely_migration_lock: 'it is of the database',
}

/** Tables of the whole installation of which an organisation takes rows along. They may be there already. */
const shared: Readonly<Record<string, string>> = {
  // public keys, which check the heads that were signed before
  log_key: 'true',
  // people who do not want texts get none at the new address either
  sms_refusal: 'mobile in (select mobile from person where %client)',
}
export const isShared = (name: string): boolean => Object.hasOwn(shared, name)

/** A table of an organisation, with the condition that finds its rows. */
export interface WholeTable extends Table {
  /** Names other tables without a schema. */
  condition: string
}

/**
 * The tables that an organisation consists of, each behind those that it refers to: those with `client_uid`, and those that lead
 * there by a foreign key. Throws if a table does neither and is not named as left out.
 */
export function wholeTables(tables: readonly Table[], clientUid: string): WholeTable[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const found = tables
    .filter(({ name }) => !Object.hasOwn(leftOut, name))
    .map((table) => {
      const condition = conditionOf(table, byName, `'${clientUid}'::uuid`)
      if (!condition)
        throw new Error(`Neither does ${table.name} belong to an organisation, nor is it named as left out.`)
      return { ...table, condition }
    })
  return inOrder(found)
}

function conditionOf({ name, columns, references }: Table, byName: Map<string, Table>, client: string): string | null {
  if (name === 'client') return `uid = ${client}`
  if (columns.some((column) => column.name === 'client_uid')) return `client_uid = ${client}`
  if (isShared(name)) return (shared[name] as string).replace('%client', `client_uid = ${client}`)
  for (const { to, from, at } of references) {
    const target = Object.hasOwn(leftOut, to) || to === name ? undefined : byName.get(to)
    const beyond = target && conditionOf(target, byName, client)
    if (beyond) return `(${quoted(from)}) in (select ${quoted(at)} from "${to}" where ${beyond})`
  }
  return null
}

/** References that are checked at the end of a transaction put nothing in order. */
function inOrder(tables: readonly WholeTable[]): WholeTable[] {
  const ordered: WholeTable[] = []
  let rest = [...tables]
  while (rest.length > 0) {
    const waits = ({ name, references }: WholeTable) =>
      references.some(({ to, isDeferrable }) => !isDeferrable && to !== name && rest.some((other) => other.name === to))
    const next = rest.filter((table) => !waits(table))
    if (next.length === 0)
      throw new Error(`${rest.map(({ name }) => name).join(', ')} refer to each other: make one reference deferrable.`)
    ordered.push(...next)
    rest = rest.filter((table) => !next.includes(table))
  }
  return ordered
}

export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
