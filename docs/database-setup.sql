-- Makes the database, its owner and its two roles on your PostgreSQL (15 or newer). Run it as a superuser:
--
--   psql -v database=evac -v owner=evac -f docs/database-setup.sql
--
-- Then give the owner a password (\password evac) and start with DATABASE_URL=postgres://evac:…@host/evac.
-- It may be run again at any time: it adds what is missing, and hands over a database that another account made.
-- Give each database an owner of its own: roles belong to the whole server, and these are named after the owner.
\set ON_ERROR_STOP on
set client_min_messages = warning;
set evac.owner = :'owner';

-- The owner signs in, and may become one of the two roles below. It has no power over the server.
do $$
declare
  owner text := current_setting('evac.owner');
begin
  if owner !~ '^[A-Za-z_][A-Za-z0-9_-]{0,55}$' then
    raise exception 'The name of the owner may have letters, digits, - and _, and 56 of them.';
  end if;
  if exists (select from pg_roles where rolname = owner and not rolcanlogin) then
    raise exception 'The role % does not sign in, so it belongs to another database: choose another owner.', owner;
  end if;
  if not exists (select from pg_roles where rolname = owner) then
    execute format('create role %I login noinherit nosuperuser nocreatedb nocreaterole', owner);
  end if;
end $$;

select format('create database %I owner %I template template0 encoding ''UTF8''', :'database', :'owner')
where not exists (select from pg_database where datname = :'database') \gexec

alter database :"database" owner to :"owner";
-- Every account of a server may connect to every database until it is told otherwise.
revoke all on database :"database" from public;
-- An open transaction holds back the live updates of every phone. A session that has forgotten its own is ended.
alter database :"database" set idle_in_transaction_session_timeout = '30s';

\connect :"database"
set client_min_messages = warning;
-- Nothing that the owner has made is called from here.
set search_path = pg_catalog, pg_temp;
set evac.owner = :'owner';

-- Two roles that own nothing and sign in nowhere: the one sees the organisations named for a transaction, the other all.
do $$
declare
  owner text := current_setting('evac.owner');
  wanted text;
  wanted_roles text[] := array[owner || '_app', owner || '_system'];
  may_become text := '';
begin
  -- a database that is in use keeps the roles that its tables name
  select array[
    coalesce(max(pg_get_userbyid(polroles[1])) filter (where polname = 'own_clients'), wanted_roles[1]),
    coalesce(max(pg_get_userbyid(polroles[1])) filter (where polname = 'everything'), wanted_roles[2])
  ] into wanted_roles from pg_policy where polrelid::regclass::text ~ '(^|[.])client$';
  if current_setting('server_version_num')::int >= 160000 then
    may_become := ' with inherit false, set true';
  else
    -- before 16 the member itself says whether it has the rights of its roles without becoming them
    execute format('alter role %I noinherit', owner);
  end if;
  foreach wanted in array wanted_roles loop
    -- the owner writes the tables: a role with power of its own, or of the owner of another database, is not granted
    if exists (
      select from pg_roles r where rolname = wanted and (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolreplication
        or rolbypassrls or exists (select from pg_auth_members where member = r.oid)
        or exists (select from pg_auth_members m join pg_database d on d.datdba = m.member
          join pg_roles holder on holder.oid = m.member
          where m.roleid = r.oid and not holder.rolsuper and holder.rolname <> owner and d.datname <> current_database()))
    ) then
      raise exception 'The tables of this database name the role %, which is not its own.', wanted;
    end if;
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I nologin', wanted);
    end if;
    execute format('grant %I to %I%s', wanted, owner, may_become);
  end loop;
end $$;

alter schema public owner to :"owner";
revoke create on schema public from public;

-- What another account has made here in its time as owner, without the parts of extensions.
do $$
declare
  statement text;
begin
  for statement in
    with ours as (
      select oid, nspowner from pg_namespace
      where nspname in ('public', 'pgboss') or nspname like 'before\_restore\_%'
    ), owner as (
      select oid from pg_roles where rolname = current_setting('evac.owner')
    )
    select format('alter schema %s owner to %I', n.oid::regnamespace, current_setting('evac.owner'))
    from ours n where n.nspowner <> (select oid from owner)
    union all
    select format('alter %s %s owner to %I', case c.relkind when 'v' then 'view' when 'm' then 'materialized view'
      when 'S' then 'sequence' else 'table' end, c.oid::regclass, current_setting('evac.owner'))
    from pg_class c join ours n on n.oid = c.relnamespace
    where c.relowner <> (select oid from owner) and c.relkind in ('r', 'p', 'v', 'm', 'S')
      -- a sequence of a column goes with its table
      and not exists (select from pg_depend d where (d.classid, d.objid) = ('pg_class'::regclass, c.oid) and d.deptype in ('a', 'e', 'i'))
    union all
    select format('alter routine %s owner to %I', p.oid::regprocedure, current_setting('evac.owner'))
    from pg_proc p join ours n on n.oid = p.pronamespace
    where p.proowner <> (select oid from owner)
      and not exists (select from pg_depend d where (d.classid, d.objid, d.deptype) = ('pg_proc'::regclass, p.oid, 'e'))
    union all
    select format('alter type %s owner to %I', t.oid::regtype, current_setting('evac.owner'))
    from pg_type t join ours n on n.oid = t.typnamespace
    where t.typowner <> (select oid from owner) and t.typtype in ('e', 'd')
      and not exists (select from pg_depend d where (d.classid, d.objid, d.deptype) = ('pg_type'::regclass, t.oid, 'e'))
    union all
    select format('alter collation %s owner to %I', l.oid::regcollation, current_setting('evac.owner'))
    from pg_collation l join ours n on n.oid = l.collnamespace
    where l.collowner <> (select oid from owner)
    union all
    select format('alter statistics %I.%I owner to %I', s.stxnamespace::regnamespace, s.stxname, current_setting('evac.owner'))
    from pg_statistic_ext s join ours n on n.oid = s.stxnamespace
    where s.stxowner <> (select oid from owner)
  loop
    execute statement;
  end loop;
end $$;
