-- Observers note by a link, without an account. No foreign key to event, as the rows of records.

create table observer_link (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  name text not null check (length(name) between 1 and 60),
  -- the token itself is kept nowhere
  token_hash bytea not null unique,
  made_by_person_uid uuid not null,
  made_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (client_uid, uid)
);
create index observer_link_event on observer_link (client_uid, event_uid);

-- Who wrote an addition: a person, or an observer
alter table record_entry add column by_observer_uid uuid;
create index record_entry_observer on record_entry (client_uid, by_observer_uid, recorded_at) where by_observer_uid is not null;

alter table observer_link enable row level security;
create policy own_clients on observer_link to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on observer_link to evac_system using (true) with check (true);
grant select, insert, update (revoked_at) on observer_link to evac_app;
grant select, insert, delete on observer_link to evac_system;
