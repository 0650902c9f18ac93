/** `evac_app` sees the clients of `inClients`; `evac_system` sees all: sign-in look-up, feed, import, jobs. */
export type DatabaseRole = 'evac_app' | 'evac_system'

/**
 * What the two are called on this server, where other products may live beside this one: `<owner>_app` and
 * `<owner>_system` as docs/database-setup.sql makes them, or whatever the tables of an older database name.
 */
export type Roles = Record<DatabaseRole, string>

/** Asked as the owner. The tables may lie under another schema while a restore is under way. */
export const findRoles = `select json_build_object(
    'evac_app', coalesce(max(pg_get_userbyid(polroles[1])) filter (where polname = 'own_clients'), session_user || '_app'),
    'evac_system', coalesce(max(pg_get_userbyid(polroles[1])) filter (where polname = 'everything'), session_user || '_system')
  ) as roles
  from pg_policy where polrelid::regclass::text ~ '(^|[.])client$'`

/** SQL that is written for `evac_app` and `evac_system`, for the roles of this database. */
export function forRoles(text: string, roles: Roles): string {
  return text.replace(/\bevac_(?:app|system)\b/g, (name) => quoted(roles[name as DatabaseRole]))
}

/** A name that needs no quotes stays without, as migrations also put it into strings. */
const quoted = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)
