-- Tables brought in by administrators: uploads with their parts, problems and difference.

create table upload (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  state text not null default 'open'
    check (state in ('open', 'checking', 'checked', 'applying', 'applied', 'failed', 'dropped')),
  by_person_uid uuid not null,
  administrator_uid uuid not null,
  -- names and numbers of parts of the files, and whether missing rows end
  options jsonb not null default '{}',
  -- files that are no tables, and why
  left_out jsonb not null default '[]',
  -- what the check found: counts by file, ends, files read as Windows text
  result jsonb,
  problems integer not null default 0,
  changes integer not null default 0,
  -- of the difference that was shown
  digest bytea,
  -- what the worker does, and how far it is
  stage text,
  done integer not null default 0,
  total integer not null default 0,
  -- why the difference is another one, or why the work has stopped
  notice text,
  attempts smallint not null default 0,
  -- in milliseconds, as the keys of a list
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  checked_at timestamptz,
  begun_at timestamptz,
  applied_at timestamptz,
  primary key (client_uid, uid),
  foreign key (client_uid, by_person_uid) references person,
  foreign key (client_uid, administrator_uid) references administrator
);
-- Never two at once.
create unique index upload_at_work on upload (client_uid) where state = 'applying';
create index upload_due on upload (created_at) where state in ('checking', 'applying');
create index upload_newest on upload (client_uid, created_at, uid);

-- Up to 4 MB of a file. The only place beside peep that may hold the text of a plan, for a day.
create table upload_part (
  client_uid uuid not null,
  upload_uid uuid not null,
  file text not null,
  nth smallint not null,
  bytes integer not null,
  content bytea not null,
  added_at timestamptz not null default now(),
  primary key (client_uid, upload_uid, file, nth),
  foreign key (client_uid, upload_uid) references upload
);
create index upload_part_added on upload_part (added_at);

create table upload_problem (
  client_uid uuid not null,
  upload_uid uuid not null,
  seq integer not null,
  file text not null,
  line integer not null,
  "column" text not null,
  reason text not null,
  primary key (client_uid, upload_uid, seq),
  foreign key (client_uid, upload_uid) references upload
);

-- cells: column, before, after. Of plans the names of the fields alone.
create table upload_change (
  client_uid uuid not null,
  upload_uid uuid not null,
  seq integer not null,
  file text not null,
  kind text not null check (kind in ('added', 'changed', 'ended', 'left')),
  line integer,
  title text not null,
  cells jsonb not null,
  primary key (client_uid, upload_uid, seq),
  foreign key (client_uid, upload_uid) references upload
);
create index upload_change_kind on upload_change (client_uid, upload_uid, file, kind, seq);

grant select, insert, update on upload to evac_app;
grant select, insert, update, delete on upload_part to evac_app;
grant select, insert, update, delete on upload to evac_system;
grant select, insert, update, delete on upload_part to evac_system;
grant select on upload_problem, upload_change to evac_app;
grant select, insert, update, delete on upload_problem, upload_change to evac_system;

alter table upload enable row level security;
create policy own_clients on upload to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on upload to evac_system using (true) with check (true);
alter table upload_part enable row level security;
create policy own_clients on upload_part to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on upload_part to evac_system using (true) with check (true);
alter table upload_problem enable row level security;
create policy own_clients on upload_problem to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on upload_problem to evac_system using (true) with check (true);
alter table upload_change enable row level security;
create policy own_clients on upload_change to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on upload_change to evac_system using (true) with check (true);
