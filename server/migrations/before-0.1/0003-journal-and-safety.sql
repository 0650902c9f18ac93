-- The journal, idempotency, throttles, and the second wall of tenancy: row-level security.

-- Append-only record of every change: audit log, timeline and real-time feed in one. Readers take rows of finished
-- transactions only, in (xid, position) order, which is commit-safe; a serial id alone would lose rows of slow ones.
create table journal (
  position bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  -- no foreign key: each entry would lock its client's row, and every write of a client writes one
  client_uid uuid not null,
  event_uid uuid,
  actor_person_uid uuid,
  actor_sign_in_uid uuid,
  action text not null,
  subject_type text not null,
  subject_uid uuid not null,
  before jsonb,
  after jsonb,
  observed_at timestamptz,
  recorded_at timestamptz not null default now(),
  key text,
  primary key (xid, position)
);
create index journal_event on journal (event_uid, xid, position) where event_uid is not null;
create index journal_sign_in on journal (subject_uid, xid, position) where subject_type = 'sign_in';

-- Where the feed's offsets come from; a restored or moved database starts a new epoch.
create table feed_epoch (
  only_row boolean primary key default true check (only_row),
  system_identifier text not null,
  restores integer not null default 0
);

-- Same key, same answer; the primary key decides who was first.
create table idempotency (
  person_uid uuid not null,
  key text not null check (length(key) between 1 and 200),
  fingerprint bytea not null,
  reply jsonb,
  recorded_at timestamptz not null default now(),
  primary key (person_uid, key)
);
create index idempotency_age on idempotency using brin (recorded_at);

create table throttle (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (key, window_start)
);

-- Two roles that own nothing. evac_app sees the clients named in app.clients; evac_system sees all
-- (sign-in look-up, real-time feed, import, jobs). The connecting user becomes one of them at connection. What the two are
-- called on a server is put in for these names in every migration (platform/database-roles.ts); docs/database-setup.sql makes them.
grant usage on schema public to evac_app, evac_system;
grant select, insert, update on all tables in schema public to evac_app, evac_system;
grant usage on all sequences in schema public to evac_app, evac_system;

do $$
declare
  t record;
begin
  for t in select c.table_name from information_schema.columns c
           where c.table_schema = 'public' and c.column_name = 'client_uid' loop
    execute format('alter table %I enable row level security', t.table_name);
    execute format('create policy own_clients on %I to evac_app using (client_uid = any (string_to_array(nullif(current_setting(''app.clients'', true), ''''), '','')::uuid[]))', t.table_name);
    execute format('create policy everything on %I to evac_system using (true) with check (true)', t.table_name);
  end loop;
end $$;

alter table client enable row level security;
create policy own_clients on client to evac_app
  using (uid = any (string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[]));
create policy everything on client to evac_system using (true) with check (true);

-- Identity is looked up before a tenant is known, and only there.
revoke all on account, mobile_token, throttle, feed_epoch from evac_app;
-- The journal is never rewritten; the importer replaces locations; housekeeping clears what has expired.
revoke update on journal from evac_app;
grant delete on assignment_location, session, mobile_token, idempotency, throttle to evac_system;
grant delete on assignment_location to evac_app;
