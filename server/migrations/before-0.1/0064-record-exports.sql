-- With its salt the line of an addition can be made again. Its commit stands in its journal entry.
alter table record_entry add column salt text;
grant update (salt) on record_entry to evac_system;

-- Files that are made of records. They last a day.
create table record_export (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  -- who asked, as the journal names them
  person_uid uuid not null,
  sign_in_uid uuid,
  session_uid uuid,
  format text not null check (format in ('pdf', 'csv', 'bundle')),
  names text not null check (names in ('none', 'needed', 'all')),
  -- what the asker reaches
  reach jsonb not null,
  state text not null default 'making' check (state in ('making', 'ready', 'failed')),
  progress smallint not null default 0 check (progress between 0 and 100),
  -- why it failed, for people
  message text,
  attempts smallint not null default 0,
  next_try_at timestamptz not null default now(),
  file_name text,
  storage_key text,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  primary key (client_uid, uid)
);
create index record_export_due on record_export (next_try_at) where state = 'making';
-- asked for twice while it is being made, it is made once
create unique index record_export_making on record_export (client_uid, event_uid, person_uid, format, names)
where state = 'making';
create index record_export_expired on record_export (expires_at);
create unique index record_export_uid on record_export (uid);

alter table record_export enable row level security;
create policy own_clients on record_export to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on record_export to evac_system using (true) with check (true);
grant select, insert on record_export to evac_app;
grant select, insert, update, delete on record_export to evac_system;
