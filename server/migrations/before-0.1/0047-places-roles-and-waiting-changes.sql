-- Places and roles out of use, offers by mail and text, and changes that wait.

-- Retired: in no list, selector, checklist, tally or card. Past events show it. Its name is free, its code is not.
alter table site add column retired_at timestamptz;
alter table building add column retired_at timestamptz;
alter table floor add column retired_at timestamptz;

alter table site drop constraint site_client_uid_name_key;
create unique index site_name on site (client_uid, name) where retired_at is null;
alter table building drop constraint building_client_uid_site_uid_name_key;
create unique index building_name on building (client_uid, site_uid, name) where retired_at is null;
alter table floor drop constraint floor_client_uid_building_uid_name_key;
create unique index floor_name on floor (client_uid, building_uid, name) where retired_at is null;

-- false: offered no more, while holders keep it
alter table warden_role add column active boolean not null default true;

-- The console counts assignments by role and by place.
create index warden_assignment_role on warden_assignment (client_uid, role_uid);
create index assignment_location_floor on assignment_location (client_uid, floor_uid) where floor_uid is not null;
create index assignment_location_building on assignment_location (client_uid, building_uid) where building_uid is not null;

alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check
  check (kind in ('password_reset', 'password_changed', 'invitation', 'notice', 'offer'));
alter table sms drop constraint sms_kind_check;
alter table sms add constraint sms_kind_check
  check (kind in ('event_message', 'warden_alert', 'event_concluded', 'sign_in_link', 'report_in_link', 'message', 'offer'));

-- A change that a warden on duty puts off. wanted: what the end of an assignment sets.
create table waiting_change (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('deactivation', 'assignment_end')),
  person_uid uuid not null,
  assignment_uid uuid,
  wanted jsonb not null default '{}',
  -- null: the operator's command, or a directory
  by_person_uid uuid,
  since timestamptz not null default now(),
  done_at timestamptz,
  outcome text check (outcome in ('happened', 'dropped', 'replaced', 'refused')),
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, assignment_uid) references warden_assignment,
  check ((kind = 'assignment_end') = (assignment_uid is not null)),
  check ((done_at is null) = (outcome is null))
);
-- A newer wish replaces an older one.
create unique index waiting_change_one on waiting_change (client_uid, kind, person_uid, assignment_uid) nulls not distinct
  where done_at is null;
create index waiting_change_done on waiting_change (done_at) where done_at is not null;

grant select, insert, update on waiting_change to evac_app;
grant select, insert, update, delete on waiting_change to evac_system;
alter table waiting_change enable row level security;
create policy own_clients on waiting_change to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on waiting_change to evac_system using (true) with check (true);
