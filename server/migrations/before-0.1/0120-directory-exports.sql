-- Archives of all that an administrator reaches, for an hour each.
create table directory_export (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  administrator_uid uuid not null,
  -- what the grant reached when it was asked for, and whether it had the Plans permission
  reach jsonb not null,
  plans boolean not null,
  state text not null default 'making' check (state in ('making', 'ready', 'failed')),
  -- why it failed, for people
  message text,
  attempts smallint not null default 0,
  -- until then it is one worker's
  claimed_until timestamptz,
  -- of these links each has opened the file once
  links_used integer not null default 0,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours',
  primary key (client_uid, uid)
);
-- asked for twice while it is being made, it is made once
create unique index directory_export_making on directory_export (client_uid, administrator_uid) where state = 'making';
create index directory_export_expired on directory_export (expires_at);
create unique index directory_export_uid on directory_export (uid);

alter table directory_export enable row level security;
create policy own_clients on directory_export to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on directory_export to evac_system using (true) with check (true);
grant select, insert, update on directory_export to evac_app;
grant select, insert, update, delete on directory_export to evac_system;
