-- Whose plan was seen in an event by others than the wardens of their floor, and who was told.

-- Once per reader, person and event. What was opened for a reason stands in the journal as plan_viewed.
-- It outlives its event, as the journal does, so it refers to no row.
create table plan_seen (
  client_uid uuid not null,
  event_uid uuid not null,
  person_uid uuid not null,
  -- a person of the organisation, or a reader of an arrival pack: the first half of the hash
  reader_uid uuid not null,
  way text not null check (way in ('list', 'pack')),
  -- of way 'pack'
  pack_uid uuid,
  seen_at timestamptz not null default now(),
  primary key (client_uid, event_uid, reader_uid, person_uid),
  check ((way = 'pack') = (pack_uid is not null))
);
create index plan_seen_person on plan_seen (client_uid, person_uid, seen_at);
create index plan_seen_age on plan_seen using brin (seen_at);

-- Whose plan was opened is told once, after the event
create table plan_notice (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  person_uid uuid not null,
  owed_at timestamptz not null default now(),
  -- the token itself is kept nowhere. null: not told yet, or erased
  token_hash bytea unique,
  expires_at timestamptz,
  told_at timestamptz,
  -- 'none': neither mail nor text reaches them. null: not told yet
  how text check (how in ('mail', 'text', 'none')),
  in_person_at timestamptz,
  in_person_by_uid uuid,
  primary key (client_uid, uid),
  unique (client_uid, event_uid, person_uid),
  foreign key (client_uid, event_uid) references event
);
create index plan_notice_owed on plan_notice (client_uid, event_uid) where told_at is null;
create index plan_notice_person on plan_notice (client_uid, person_uid);
create index plan_notice_told on plan_notice (told_at) where how in ('mail', 'text');

-- plans opened in an event, among all entries of it
create index journal_plan_event on journal (event_uid, actor_person_uid) where action = 'plan_viewed' and event_uid is not null;

alter table plan_seen enable row level security;
create policy own_clients on plan_seen to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on plan_seen to evac_system using (true) with check (true);
grant select, insert on plan_seen to evac_app;
grant select, insert, delete on plan_seen to evac_system;

alter table plan_notice enable row level security;
create policy own_clients on plan_notice to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on plan_notice to evac_system using (true) with check (true);
grant select, insert, update (in_person_at, in_person_by_uid) on plan_notice to evac_app;
grant select, insert, update, delete on plan_notice to evac_system;
