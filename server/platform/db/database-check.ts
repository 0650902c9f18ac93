import pg from 'pg'
import { findRoles, type Roles } from './database-roles.ts'
import type { Address } from './db.ts'

/** Something that the database lacks, or a right that its account should not have. */
export interface Finding {
  /** One sentence for the operator. */
  what: string
  /** The statement that fixes it, for a superuser. */
  sql?: string
  /** True if the product cannot run like this. False for a warning. */
  isFatal: boolean
}

export interface DatabaseState {
  /** Host and database, never the password. */
  name: string
  roles: Roles
  findings: Finding[]
}

/** The most connections that one process of each kind needs at once. */
export const connectionsOf = { node: 35, command: 6 }

/**
 * Checks everything that would prevent work on this database, in one pass: reachability, version, state, and every
 * right that docs/database-setup.sql grants. Never throws errors of the network or the database.
 */
export async function checkDatabase(address: Address, connections: number): Promise<DatabaseState> {
  const client = new pg.Client({
    ...address,
    application_name: 'evac_check',
    connectionTimeoutMillis: 10_000,
    query_timeout: 10_000,
  })
  client.on('error', () => undefined) // the pending query reports the error
  const name = nameOf(client)
  const nothing = { evac_app: 'evac_app', evac_system: 'evac_system' }
  try {
    await client.connect()
    const { roles } = (await client.query<{ roles: Roles }>(findRoles)).rows[0] as { roles: Roles }
    return { name, roles, findings: await listFindings(client, roles, connections) }
  } catch (error) {
    return { name, roles: nothing, findings: [{ what: explain(error as pg.DatabaseError, client), isFatal: true }] }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** For display: `evac on db.example:5432`. */
const nameOf = ({ database, host, port }: pg.Client) =>
  host.startsWith('/') ? `${database} by the socket in ${host}` : `${database} on ${host}:${port}`

function explain(error: pg.DatabaseError, { user, database }: pg.Client): string {
  const { code, message } = error
  if (code === '28P01' || code === '28000') return `The account ${user} is not let in (${message}): see DATABASE_URL.`
  if (code === '3D000') return `There is no database ${database}: create it with docs/database-setup.sql.`
  if (code === '42501') return `The account ${user} may not connect (${message}).`
  if (code === '53300') return `The database accepts no more connections (${message}).`
  if (code === '57P03') return `The database is not ready yet (${message}).`
  if (error instanceof pg.DatabaseError) return `It rejects the connection: ${message}.`
  // an address with two IP addresses, such as localhost, fails with both and without a message
  return `It cannot be reached (${code ?? message}): check that it runs and that DATABASE_URL is right.`
}

interface Facts {
  owner: string
  database: string
  version: number
  encoding: string
  isStandby: boolean
  isReadOnly: boolean
  isMighty: boolean
  isOpen: boolean
  connections: number
  may_create: boolean
  may_use_public: boolean
  may_see_identity: boolean
  /** Other owners of our tables. */
  strangers: string | null
}

async function listFindings(client: pg.Client, roles: Roles, connections: number): Promise<Finding[]> {
  const facts = (await client.query<Facts>(readFacts)).rows[0] as Facts
  const owner = pg.escapeIdentifier(facts.owner)
  const database = pg.escapeIdentifier(facts.database)
  const findings: Finding[] = []
  const fatal = (isWrong: boolean, what: string, sql?: string) =>
    isWrong && findings.push({ what, ...(sql && { sql }), isFatal: true })
  const unwise = (isUnwise: boolean, what: string, sql: string) =>
    isUnwise && findings.push({ what, sql, isFatal: false })

  fatal(
    facts.version < 150_000,
    `PostgreSQL 15 or newer is needed; this server is ${Math.floor(facts.version / 10_000)}.`,
  )
  fatal(facts.encoding !== 'UTF8', `Its encoding is ${facts.encoding}, but names need UTF8: create a new database.`)
  fatal(facts.isStandby, 'It is a standby, which accepts no writes: DATABASE_URL must point to the primary.')
  fatal(
    facts.isReadOnly && !facts.isStandby,
    'It accepts no writes (default_transaction_read_only).',
    `alter database ${database} reset default_transaction_read_only`,
  )
  fatal(
    facts.connections < connections,
    `It allows ${facts.connections} connections to ${facts.owner}, and a process needs up to ${connections}: raise max_connections, or the limit of the account or the database.`,
  )
  fatal(
    !facts.may_create,
    `The account ${facts.owner} may not create a schema in it.`,
    `alter database ${database} owner to ${owner}`,
  )
  fatal(
    !facts.may_use_public,
    `The account ${facts.owner} may not create a table in the schema public.`,
    `alter schema public owner to ${owner}`,
  )
  fatal(
    !facts.may_see_identity,
    `The account ${facts.owner} may not read which server this is.`,
    `grant execute on function pg_control_system() to ${owner}`,
  )
  fatal(
    facts.strangers !== null,
    `Tables in it are owned by ${facts.strangers}: docs/database-setup.sql transfers them to ${facts.owner}.`,
  )
  for (const role of Object.values(roles)) findings.push(...(await checkRole(client, role, facts)))
  unwise(
    facts.isMighty,
    `The account ${facts.owner} has server-wide rights, which Evac does not need.`,
    `alter role ${owner} nosuperuser nocreaterole nocreatedb nobypassrls`,
  )
  unwise(
    facts.isOpen,
    'Every account of the server may connect to this database.',
    `revoke all on database ${database} from public`,
  )
  return findings
}

/** `has_…_privilege` is always true for a superuser, as intended. */
const readFacts = `select session_user as owner, current_database() as database,
    current_setting('server_version_num')::int as version, pg_encoding_to_char(d.encoding) as encoding,
    pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
    r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolbypassrls as "isMighty",
    exists (select from aclexplode(coalesce(d.datacl, acldefault('d', d.datdba)))
      where grantee = 0 and privilege_type = 'CONNECT') as "isOpen",
    least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) as connections,
    has_database_privilege(d.oid, 'create') as may_create,
    coalesce((select has_schema_privilege(oid, 'create') from pg_namespace where nspname = 'public'), true) as may_use_public,
    has_function_privilege('pg_control_system()', 'execute') as may_see_identity,
    (select string_agg(distinct pg_get_userbyid(c.relowner), ', ') from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and c.relkind = 'r' and c.relowner <> r.oid and not r.rolsuper
        and to_regclass('public.kysely_migration') is not null) as strangers
  from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = session_user`

async function checkRole(client: pg.Client, role: string, { owner, version }: Facts): Promise<Finding[]> {
  const [name, member] = [pg.escapeIdentifier(role), pg.escapeIdentifier(owner)]
  const become = version >= 160_000 ? 'set' : 'member'
  const { rows } = await client.query<{ may_become: boolean; is_mighty: boolean }>(
    `select pg_has_role(session_user, oid, $2) as may_become,
       rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb as is_mighty
     from pg_roles where rolname = $1`,
    [role, become],
  )
  const found = rows[0]
  const grant = `grant ${name} to ${member}${version >= 160_000 ? ' with inherit false, set true' : ''}`
  if (!found)
    return [
      {
        what: `The role ${role} does not exist, and ${owner} must be a member of it.`,
        sql: `create role ${name} nologin; ${grant}`,
        isFatal: true,
      },
    ]
  return [
    !found.may_become && { what: `The account ${owner} cannot switch to ${role}.`, sql: grant, isFatal: true },
    found.is_mighty && {
      what: `The role ${role} can bypass row-level security or log in.`,
      sql: `alter role ${name} nologin nosuperuser nobypassrls nocreaterole nocreatedb`,
      isFatal: true,
    },
  ].filter((finding) => finding !== false)
}
