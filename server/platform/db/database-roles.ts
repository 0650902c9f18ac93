/**
 * `evac_app` sees only the clients given to `inClients`. `evac_system` sees all: sign-in look-up, feed, import, jobs.
 */
export type DatabaseRole = 'evac_app' | 'evac_system'

/**
 * Names of the two roles on this server, which may host other products: `<owner>_app` and `<owner>_system` from
 * docs/database-setup.sql, or the names that an older database's tables refer to.
 */
export type Roles = Record<DatabaseRole, string>

/** Runs as the owner. During a restore, the tables may be in another schema. */
export const findRoles = `select json_build_object(
    'evac_app', coalesce(max(pg_get_userbyid(polroles[1])) filter (where polname = 'own_clients'), session_user || '_app'),
    'evac_system', coalesce(max(pg_get_userbyid(polroles[1])) filter (where polname = 'everything'), session_user || '_system')
  ) as roles
  from pg_policy where polrelid::regclass::text ~ '(^|[.])client$'`

/** Replaces `evac_app` and `evac_system` in SQL with the role names of this database. */
export function forRoles(text: string, roles: Roles): string {
  return text.replace(/\bevac_(?:app|system)\b/g, (name) => quoted(roles[name as DatabaseRole]))
}

/** Names that need no quotes stay unquoted, because migrations also use them inside string literals. */
const quoted = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)
