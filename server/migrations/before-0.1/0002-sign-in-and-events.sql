-- Sessions, events and everything that happens in one.

-- An access token is 256 random bits; only its SHA-256 is kept. Bound to one current assignment.
create table session (
  uid uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  account_uid uuid not null references account,
  client_uid uuid not null,
  person_uid uuid not null,
  assignment_uid uuid,
  -- set for report-in-link sessions only: they belong to one sign-in and end with it
  sign_in_uid uuid,
  sign_in_method text not null check (sign_in_method in ('Email', 'Username', 'Mobile')),
  is_report_in_token boolean not null default false,
  selected_building_uid uuid,
  selected_floor_uid uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, assignment_uid) references warden_assignment
);
create index session_person on session (client_uid, person_uid) where revoked_at is null;
create index session_sign_in on session (client_uid, sign_in_uid) where sign_in_uid is not null and revoked_at is null;
create index session_expiry on session (expires_at);

create table event (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  site_uid uuid not null,
  event_type_uid uuid not null,
  message text not null check (length(message) between 1 and 130),
  broadcast boolean not null,
  alert boolean not null,
  started_at timestamptz not null default now(),
  started_by_sign_in_uid uuid,
  ended_at timestamptz,
  ended_by_sign_in_uid uuid,
  ended_by_person_uid uuid,
  primary key (client_uid, uid),
  foreign key (client_uid, site_uid) references site,
  foreign key (client_uid, event_type_uid) references event_type
);
-- One active event per site: two managers who start at once make one event.
create unique index event_one_active on event (client_uid, site_uid) where ended_at is null;

create table event_building (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  building_uid uuid not null,
  added_at timestamptz not null default now(),
  removed_at timestamptz,
  active boolean not null default true,
  primary key (client_uid, uid),
  unique (client_uid, event_uid, building_uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, building_uid) references building
);
-- A building is never in two active events.
create unique index event_building_one_active on event_building (client_uid, building_uid) where active;

create table event_floor (
  client_uid uuid not null,
  event_uid uuid not null,
  floor_uid uuid not null,
  building_uid uuid not null,
  floor_status_uid uuid not null,
  updated_by_person_uid uuid,
  updated_at timestamptz not null default now(),
  primary key (client_uid, event_uid, floor_uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, floor_uid) references floor,
  foreign key (client_uid, building_uid) references building,
  foreign key (client_uid, floor_status_uid) references floor_status
);

-- A warden's attendance in one event; uid is the Warden_Sign_In_UID.
create table warden_sign_in (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  assignment_uid uuid not null,
  person_uid uuid not null,
  reported_in boolean not null default false,
  on_duty boolean not null default false,
  not_available boolean not null default false,
  reported_in_at timestamptz,
  on_duty_at timestamptz,
  off_duty_at timestamptz,
  not_available_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, event_uid, assignment_uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, assignment_uid) references warden_assignment,
  foreign key (client_uid, person_uid) references person,
  check (not (on_duty and not_available)),
  check (closed_at is null or not on_duty)
);
alter table event add foreign key (client_uid, started_by_sign_in_uid) references warden_sign_in;
alter table event add foreign key (client_uid, ended_by_sign_in_uid) references warden_sign_in;
alter table session add foreign key (client_uid, sign_in_uid) references warden_sign_in;

-- The snapshot of who must be accounted for. place_uid is the floor, or the building of one without a floor.
-- Pages keep room for the next version of a row: recording a status moves nobody to another page.
create table evacuee (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  person_uid uuid not null,
  sort_name text not null,
  visitor boolean not null default false,
  home_building_uid uuid not null,
  home_floor_uid uuid,
  building_uid uuid not null,
  floor_uid uuid,
  place_uid uuid not null generated always as (coalesce(floor_uid, building_uid)) stored,
  status text not null default 'unknown' check (status in ('safe', 'unknown', 'danger')),
  on_floor boolean not null default false,
  refused boolean not null default false,
  refusal_detail text not null default '',
  status_by_person_uid uuid,
  status_at timestamptz,
  -- when the warden saw it, by the server's clock; a late report is measured against this
  status_observed_at timestamptz,
  active boolean not null default true,
  removed_at timestamptz,
  primary key (client_uid, uid),
  unique (client_uid, event_uid, person_uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, building_uid) references building,
  foreign key (client_uid, floor_uid) references floor
) with (fillfactor = 85);
create index evacuee_place_page on evacuee (client_uid, event_uid, place_uid, sort_name, uid) where active;
create index evacuee_building_page on evacuee (client_uid, event_uid, building_uid, sort_name, uid) where active;

-- Counts per place, kept in the transaction of every change: a page costs the same at 1,000 and 1,000,000 people.
create table tally (
  client_uid uuid not null,
  event_uid uuid not null,
  place_uid uuid not null,
  building_uid uuid not null,
  safe integer not null default 0 check (safe >= 0),
  unknown integer not null default 0 check (unknown >= 0),
  danger integer not null default 0 check (danger >= 0),
  refusals integer not null default 0 check (refusals >= 0),
  primary key (client_uid, event_uid, place_uid),
  foreign key (client_uid, event_uid) references event
) with (fillfactor = 50);

create table mobile_token (
  uid uuid primary key default gen_random_uuid(),
  account_uid uuid not null references account,
  phone text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

create table report_in_link (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  sign_in_uid uuid not null,
  sender_sign_in_uid uuid,
  token_hash bytea not null unique,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, sign_in_uid) references warden_sign_in,
  foreign key (client_uid, sender_sign_in_uid) references warden_sign_in
);

create table sign_in_log (
  uid uuid primary key default gen_random_uuid(),
  client_uid uuid not null references client,
  account_uid uuid not null references account,
  person_uid uuid not null,
  assignment_uid uuid,
  event_uid uuid,
  method text not null,
  peer_email text,
  at timestamptz not null default now()
);

create table message (
  client_uid uuid not null,
  seq bigint generated always as identity,
  event_uid uuid not null,
  kind text not null check (kind in ('warden', 'evacuee')),
  direction text not null check (direction in ('out', 'in')),
  sender_sign_in_uid uuid,
  recipient_sign_in_uid uuid,
  evacuee_uid uuid,
  text text not null,
  automated_response boolean not null default false,
  group_uid uuid,
  provider_id text unique,
  created_at timestamptz not null default now(),
  read_at timestamptz,
  primary key (client_uid, seq),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, sender_sign_in_uid) references warden_sign_in,
  foreign key (client_uid, recipient_sign_in_uid) references warden_sign_in,
  foreign key (client_uid, evacuee_uid) references evacuee,
  check (direction = 'in' or length(text) <= 130),
  check ((kind = 'evacuee') = (evacuee_uid is not null)),
  check ((kind = 'warden') = (recipient_sign_in_uid is not null))
);
create index message_warden on message (client_uid, event_uid, recipient_sign_in_uid, read_at);
create index message_evacuee on message (client_uid, evacuee_uid, seq) where evacuee_uid is not null;

-- Every text message we owe somebody. The row is the truth, a job only carries its uid. States move forward only.
create table sms (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid,
  kind text not null check (kind in ('event_message', 'warden_alert', 'event_concluded', 'sign_in_link', 'report_in_link', 'message')),
  person_uid uuid,
  sign_in_uid uuid,
  -- null when there is nothing to send to: kept all the same, so that nobody is believed to have been told
  to_mobile text,
  -- '{link}' stands for the person's own link; its token is made at sending and never stored
  body text not null,
  link_uid uuid,
  status text not null default 'queued'
    check (status in ('queued', 'handed_over', 'delivered', 'failed', 'unconfirmed', 'expired', 'skipped')),
  reason text,
  created_at timestamptz not null default now(),
  valid_until timestamptz,
  changed_at timestamptz not null default now(),
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, sign_in_uid) references warden_sign_in,
  foreign key (client_uid, link_uid) references report_in_link
);
create index sms_event on sms (client_uid, event_uid, status);
create index sms_queued on sms (created_at) where status = 'queued';
