-- A start over 100,000 people answers within seconds.

-- What everybody is to be told, written down with the change; a worker turns it into texts page by page. `after_person_uid`
-- is how far it has come: page and place are one statement, so a killed worker leaves neither out nor doubles anybody.
create table broadcast (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  kind text not null check (kind in ('event_message', 'event_concluded')),
  body text not null,
  building_uids uuid[] not null,
  sms_allowed boolean not null,
  after_person_uid uuid not null default '00000000-0000-0000-0000-000000000000',
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event
);
create index broadcast_open on broadcast (created_at) where finished_at is null;
create index broadcast_event on broadcast (client_uid, event_uid);

alter table broadcast enable row level security;
create policy own_clients on broadcast to evac_app
  using (client_uid = any (string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[]));
create policy everything on broadcast to evac_system using (true) with check (true);
grant select, insert, update on broadcast to evac_app, evac_system;

-- The snapshot is one `insert … select` over these very tables, and while an event is there nothing of them is deleted:
-- checked row by row they cost more than all the rest of the start together.
alter table evacuee
  drop constraint evacuee_client_uid_event_uid_fkey,
  drop constraint evacuee_client_uid_person_uid_fkey,
  drop constraint evacuee_client_uid_building_uid_fkey,
  drop constraint evacuee_client_uid_floor_uid_fkey;

-- The newest text of a person decides whether they were reached.
create index sms_person on sms (client_uid, event_uid, person_uid) where event_uid is not null;
-- A building is its places: their index serves it, too.
drop index evacuee_building_page;
-- Keys that rise are written at the end of their index.
do $$ begin
  if current_setting('server_version_num')::int >= 180000 then
    alter table evacuee alter uid set default uuidv7();
  end if;
end $$;
