-- What is kept of an event. Numbers, states and additions; no foreign key to event: a record outlives it.

alter table warden_role drop constraint warden_role_modules_check, add constraint warden_role_modules_check
  check (modules <@ array['Floor_Evacuation', 'Evacuee_Safety', 'Floor_Evacuation_Status', 'Wardens_On_Duty',
    'Warden_Messaging', 'Event_Management', 'Floor_Warden_Status', 'Building_Evacuation_Status', 'My_Messages',
    'Event_Records']);
-- Who may manage events may read what is kept of them.
update warden_role set modules = modules || '{Event_Records}'
where 'Event_Management' = any (modules) and not 'Event_Records' = any (modules);

-- How often a site drills.
alter table site add column drill_every_days integer not null default 365 check (drill_every_days between 7 and 1825),
  -- '07:00;15:00;23:00'. Empty: no shifts
  add column drill_shifts text not null default '' check (drill_shifts ~ '^([01]\d|2[0-3]):[0-5]\d(;([01]\d|2[0-3]):[0-5]\d)*$' or drill_shifts = '');

create table event_record (
  client_uid uuid not null references client,
  event_uid uuid not null,
  -- 1, 2, 3 … of the organisation, in the order of the ends
  number integer not null check (number > 0),
  site_uid uuid not null,
  kind text not null check (kind in ('live', 'drill')),
  building_uids uuid[] not null,
  floor_uids uuid[] not null,
  began_at timestamptz not null,
  -- in milliseconds, as the keys of a list
  ended_at timestamptz not null,
  -- site, buildings, type and number, in lower case
  search text not null,
  state text not null default 'writing' check (state in ('writing', 'ready', 'failed', 'reduced')),
  attempts smallint not null default 0,
  next_try_at timestamptz not null default now(),
  -- the word of the result
  result text check (result in ('accounted', 'unaccounted', 'danger', 'nobody')),
  -- the record as the contract describes it. Never written again
  summary jsonb,
  ready_at timestamptz,
  -- the sessions of its journal by first use: their places number the phones
  session_uids uuid[] not null default '{}',
  primary key (client_uid, event_uid),
  unique (client_uid, number)
);
create index event_record_newest on event_record (client_uid, ended_at desc, event_uid desc);
create index event_record_due on event_record (next_try_at) where state in ('writing', 'failed');

-- The last number that was given. Its lock keeps numbers without gaps.
create table record_counter (
  client_uid uuid primary key references client,
  last_number integer not null default 0
);

-- What people add. Rows are only ever inserted.
create table record_entry (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  kind text not null check (kind in ('fact', 'outcome', 'observation', 'checklist', 'action', 'action_step', 'correction',
    'sign_off', 'names_reason')),
  -- of a step: the action
  target_uid uuid,
  -- of a step: the one before it. Two people cannot both follow the same one
  base_uid uuid,
  body jsonb not null,
  by_person_uid uuid,
  by_name text not null,
  by_role text,
  observed_at timestamptz,
  recorded_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, base_uid)
);
create index record_entry_event on record_entry (client_uid, event_uid, recorded_at);
create index record_entry_actions on record_entry (client_uid, kind, target_uid) where kind in ('action', 'action_step');

-- Key moments of a timeline.
create index journal_moment on journal (event_uid, xid, position)
where event_uid is not null and (action not in ('evacuee_status_set', 'messages_read', 'evacuee_messages_read', 'unread_changed',
  'signed_in', 'session_ended', 'record_names_seen') or after ->> 'status' = 'danger');

alter table event_record enable row level security;
create policy own_clients on event_record to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on event_record to evac_system using (true) with check (true);
alter table record_counter enable row level security;
create policy own_clients on record_counter to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on record_counter to evac_system using (true) with check (true);
alter table record_entry enable row level security;
create policy own_clients on record_entry to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on record_entry to evac_system using (true) with check (true);
grant select on event_record, record_counter to evac_app;
grant select, insert, update on event_record, record_counter to evac_system;
grant select, insert on record_entry to evac_app, evac_system;
-- the name of an erased person goes
grant update (body, by_name) on record_entry to evac_system;
grant delete on event_record, record_counter, record_entry to evac_system;
