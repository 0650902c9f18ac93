-- The database of an organisation's wardens, people and events, subject by subject. An empty database runs this file alone.
-- One that has run the files of before-0.1 has all of it already: `migrate.ts` then only notes this file as run.
--
-- Every tenant table begins its keys with client_uid. What every table has in common, row-level security, stands at the end.
-- Two roles that own nothing: evac_app sees the clients named in app.clients, evac_system sees all (looking up who signs in,
-- real-time feed, import, jobs). `database-roles.ts` puts their real names in; docs/database-setup.sql makes them.

grant usage on schema public to evac_app, evac_system;

-- ----- Order and spelling of names

-- People are listed as names are read: Åsa with the a, Éva with the e. A collation of our own, so that its owner may put down
-- that its indexes fit a newer ICU (platform/db/name-order.ts).
create collation names (provider = icu, locale = 'und');
-- Sites, buildings and floors are listed as people count: Level 2 before Level 10. The columns carry the order, so that no
-- statement that sorts by them can forget it.
create collation places (provider = icu, locale = 'und-u-kn');

-- The same as `nameFold` in kernel/name-fold.ts. Bodies are parsed here, so that they work under any search_path. Names in
-- ASCII, which are most, take the short way.
create function name_fold(name text) returns text language sql immutable parallel safe
return case when name ~ '^[ -~]*$' then
  regexp_replace(btrim(lower(translate(name, '-.,''`', '   ') collate "C"), ' '), ' {2,}', ' ', 'g') collate "default"
else
  regexp_replace(btrim(translate(
    replace(replace(replace(replace(
      lower(regexp_replace(normalize(translate(name, U&'\00B4\1FFD\1FEF', ''), NFKD),
        U&'[\00AD\0300-\036F\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\0610-\061A\064B-\065F\0670\1AB0-\1AFF\1DC0-\1DFF\200B-\200F\202A-\202E\2060-\2064\2066-\2069\20D0-\20FF\FE20-\FE2F\FEFF]',
        '', 'g') collate "und-x-icu"),
      U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th'),
    U&'\00F8\0142\0111\00F0\0127\0131\03C2-.,\2010\2011\2012\2013\2014\2015\2212''`\2018\2019\201B\02B9\02BB\02BC\02BD\02C8\02CA\02CB\2032',
    U&'olddhi\03C3          '), ' '), ' {2,}', ' ', 'g') collate "default"
end;

-- What a search of names reads: the fold, and for letters with two spellings ('Müller', 'Mueller') the other one behind it.
create function name_search(name text) returns text language sql immutable parallel safe
return case when name ~ '^[ -~]*$' or normalize(name) !~ U&'[\00E4\00F6\00FC\00F8\00E5\00C4\00D6\00DC\00D8\00C5]' then name_fold(name)
else name_fold(name) || ' ' || name_fold(replace(replace(replace(replace(replace(lower(normalize(name) collate "und-x-icu"),
    U&'\00E4', 'ae'), U&'\00F6', 'oe'), U&'\00FC', 'ue'), U&'\00F8', 'oe'), U&'\00E5', 'aa') collate "default")
end;

-- ----- Clock

-- Records of one event are ordered by a clock that never runs backwards: what the wall clock was set back by so far, and its
-- latest jump forward. The servers notice a step by their own monotonic clocks (platform/db/steady-clock.ts).
create table steady_clock (
  only_row boolean primary key default true check (only_row),
  ahead interval not null default '0',
  jumped_at timestamptz not null default '-infinity',
  jump interval not null default '0',
  version bigint not null default 0
);
insert into steady_clock default values;
grant select on steady_clock to evac_app;
grant select, update on steady_clock to evac_system;

create function steady_now() returns timestamptz language sql stable parallel safe set search_path = public, pg_temp
  as 'select now() + ahead from steady_clock';

-- ----- Organisations and their places

create table client (
  uid uuid primary key default gen_random_uuid(),
  code text not null unique,
  name text not null,
  sms_allowed boolean not null default false,
  timezone text not null default 'Australia/Sydney',
  country text not null default 'AU' check (country in ('AU', 'NZ', 'US', 'UK')),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- segments that may be sent of each pot on a day (UTC); null: the server's limits
  sms_daily_links integer check (sms_daily_links >= 0),
  sms_daily_alerts integer check (sms_daily_alerts >= 0),
  -- a pot of its own, not that of report-in links: anyone may ask for a sign-in link
  sms_daily_sign_in_links integer check (sms_daily_sign_in_links >= 0),
  contact_email text,
  -- the number in the code 'P-000001' of the last person whose code was made
  last_person_number integer not null default 0,
  -- null: the installation's days (RETAIN_…_DAYS)
  retain_messages_days integer check (retain_messages_days >= 30),
  retain_events_days integer check (retain_events_days >= 365),
  retain_audit_days integer check (retain_audit_days >= 365),
  retain_peeps_days integer check (retain_peeps_days >= 1),
  -- after so many minutes without a warden, event managers are told of a floor
  coverage_minutes integer not null default 3 check (coverage_minutes between 1 and 30),
  -- after so many minutes without a sign of the commander, command may be taken
  command_minutes int not null default 5 check (command_minutes between 2 and 60),
  -- whether the fire service reads plans whose person has not said
  share_plans text not null default 'unless no' check (share_plans in ('unless no', 'only yes')),
  -- a mail in the afternoon about floors without a warden tomorrow
  coverage_mail boolean not null default true,
  -- first steps that an organisation does not need, by their names in the call
  steps_aside text[] not null default '{}'
);

create table site (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  name text collate places not null,
  timezone text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- in no list, selector, checklist, tally or card. Past events show it. Its name is free, its code is not
  retired_at timestamptz,
  drill_every_days integer not null default 365 check (drill_every_days between 7 and 1825),
  -- '07:00;15:00;23:00'. Empty: no shifts
  drill_shifts text not null default '' check (drill_shifts ~ '^([01]\d|2[0-3]):[0-5]\d(;([01]\d|2[0-3]):[0-5]\d)*$'
    or drill_shifts = ''),
  primary key (client_uid, uid),
  unique (client_uid, code)
);
create unique index site_name on site (client_uid, name) where retired_at is null;

create table building (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  site_uid uuid not null,
  code text not null,
  name text collate places not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  retired_at timestamptz,
  primary key (client_uid, uid),
  unique (client_uid, code),
  foreign key (client_uid, site_uid) references site
);
create unique index building_name on building (client_uid, site_uid, name) where retired_at is null;

create table floor (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  building_uid uuid not null,
  code text not null,
  name text collate places not null,
  level integer not null,
  kind text not null default 'floor' check (kind in ('floor', 'area')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  retired_at timestamptz,
  primary key (client_uid, uid),
  unique (client_uid, building_uid, code),
  foreign key (client_uid, building_uid) references building
);
create unique index floor_name on floor (client_uid, building_uid, name) where retired_at is null;

create table floor_status (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  name text not null,
  colour text not null,
  display_order integer not null,
  in_use boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- clear times count from it
  means_clear boolean not null default false,
  primary key (client_uid, uid),
  unique (client_uid, code)
);

grant select, insert, update on client, site, building, floor, floor_status to evac_app, evac_system;

-- ----- Accounts, people and groups

-- Who can sign in. It belongs to one organisation and stands for one of its people: a warden of two organisations has an account
-- in each. The column is not named client_uid, because accounts are read across clients at sign-in.
create table account (
  uid uuid primary key default gen_random_uuid(),
  email text,
  username text,
  mobile text check (mobile ~ '^[0-9]{8,15}$'),
  password_hash text,
  imported_password_hash text,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  owner_client_uid uuid references client,
  -- the hash of a password that was set by an invitation whose link an administrator had seen, and who had seen it
  shown_password_hash text,
  shown_to_person_uid uuid,
  -- the hash of a password that came from the other of two people who were merged, who merged them, and when
  merged_password_hash text,
  merged_by_person_uid uuid,
  merged_at timestamptz,
  check (owner_client_uid is not null or coalesce(email, username, mobile) is null),
  constraint account_of_client unique (owner_client_uid, uid)
);
-- For a sign-in, which reads across organisations, and for what is one person's within one.
create unique index account_email on account (lower(email), owner_client_uid);
create unique index account_username on account (lower(username), owner_client_uid);
create unique index account_mobile on account (mobile, owner_client_uid);

create table person (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  account_uid uuid references account,
  first_name text not null,
  last_name text not null,
  email text,
  mobile text check (mobile ~ '^[0-9]{8,15}$'),
  is_client_master boolean not null default false,
  primary_floor_uid uuid,
  -- a visitor may be known to be in a building without a floor
  visiting_building_uid uuid,
  kind text not null default 'staff' check (kind in ('staff', 'visitor')),
  visit_date date,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- the person who stayed
  merged_into_uid uuid,
  -- names, numbers and plans are gone, counts and statuses stay
  erased_at timestamptz,
  -- written once for each row, so no search computes a fold
  folded_name text not null generated always as (name_fold(first_name || ' ' || last_name)) stored,
  search_name text not null generated always as (name_search(first_name || ' ' || last_name)) stored,
  primary key (client_uid, uid),
  unique (client_uid, code),
  unique (client_uid, account_uid),
  foreign key (client_uid, primary_floor_uid) references floor,
  foreign key (client_uid, visiting_building_uid) references building,
  check (kind = 'staff' or (account_uid is null and visit_date is not null)),
  foreign key (client_uid, account_uid) references account (owner_client_uid, uid),
  constraint person_merged_into foreign key (client_uid, merged_into_uid) references person
);
create index person_account on person (account_uid) where account_uid is not null;
create index person_floor on person (client_uid, primary_floor_uid) where active;
create index person_visit on person (client_uid, visit_date) where kind = 'visitor' and active;
-- Who sent a text is found by the number.
create index person_mobile on person (mobile) where mobile is not null;
-- Lists of people in the console: by last, then first name, whatever the case and the accents.
create index person_by_last_name on person
  (client_uid, last_name collate "und-x-icu", first_name collate "und-x-icu", uid);
create index person_by_first_name on person
  (client_uid, first_name collate "und-x-icu", last_name collate "und-x-icu", uid);
create index person_by_code on person (client_uid, code collate "und-x-icu");
create index person_by_email on person (client_uid, email collate "und-x-icu") where email is not null;
create index person_by_mobile on person (client_uid, mobile collate "C") where mobile is not null;
-- 'Without a floor'
create index person_without_floor on person
  (client_uid, last_name collate "und-x-icu", first_name collate "und-x-icu", uid)
  where active and kind = 'staff' and primary_floor_uid is null;
-- A person who has changed is compared with those of the same e-mail, mobile, or name and floor, and with no one else.
create index person_changed on person (client_uid, updated_at);
create index person_same_email on person (client_uid, lower(email)) where active and kind = 'staff' and email is not null;
create index person_same_mobile on person (client_uid, mobile) where active and kind = 'staff' and mobile is not null;
create index person_same_name on person (client_uid, lower(last_name), lower(first_name), primary_floor_uid)
  where active and kind = 'staff' and primary_floor_uid is not null;
-- Lists of the console filtered by a place: who has a floor there has the index person_floor.
create index person_visited on person (client_uid, visiting_building_uid)
  where active and visiting_building_uid is not null;
-- Whom a report names. Looked up for each of up to 5,000 reports of an event.
create index person_whole_name on person (client_uid, lower(first_name || ' ' || last_name));
-- Who has the same name: duplicates, reports, tables with other headings.
create index person_folded_name on person (client_uid, folded_name, primary_floor_uid);

-- A named set of people. A grant may reach its members.
create table people_group (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  name text not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, code)
);

create table people_group_member (
  client_uid uuid not null,
  group_uid uuid not null,
  person_uid uuid not null,
  primary key (client_uid, group_uid, person_uid),
  foreign key (client_uid, group_uid) references people_group,
  foreign key (client_uid, person_uid) references person
);
create index people_group_member_person on people_group_member (client_uid, person_uid);

-- Addresses that people no longer have. For 30 days they are told of changes to a sign-in, too.
create table former_address (
  client_uid uuid not null,
  person_uid uuid not null,
  -- in lower case
  email text not null,
  left_at timestamptz not null default now(),
  primary key (client_uid, person_uid, email),
  foreign key (client_uid, person_uid) references person on delete cascade
);
create index former_address_left on former_address (left_at);

-- What people were told about their sign-in, for the list of administrators and for the person's next sign-in. Kept for 14 days.
create table sign_in_change (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  person_uid uuid not null,
  -- an act of authority, or plans_ended
  what text not null,
  -- null: the operator
  by_person_uid uuid,
  at timestamptz not null,
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person on delete cascade,
  foreign key (client_uid, by_person_uid) references person on delete cascade
);
create index sign_in_change_latest on sign_in_change (client_uid, at desc);
create index sign_in_change_person on sign_in_change (client_uid, person_uid, at desc);
create index sign_in_change_by on sign_in_change (client_uid, by_person_uid);
create index sign_in_change_at on sign_in_change (at);

grant select, insert, update on person, people_group to evac_app, evac_system;
grant select, insert, update, delete on people_group_member to evac_app, evac_system;
grant select on former_address, sign_in_change to evac_app;
grant select, insert, update on account to evac_system;
grant select, insert, update, delete on former_address, sign_in_change to evac_system;

-- ----- Roles and assignments of wardens

create table warden_role (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  name text not null,
  area_domain text not null check (area_domain in ('Site', 'Building', 'Floor', 'Area')),
  -- module flags without their 'Module_' prefix
  modules text[] not null default '{}' check (modules <@ array[
    'Floor_Evacuation', 'Evacuee_Safety', 'Floor_Evacuation_Status', 'Wardens_On_Duty', 'Warden_Messaging',
    'Event_Management', 'Floor_Warden_Status', 'Building_Evacuation_Status', 'My_Messages', 'Event_Records']),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- false: offered no more, while holders keep it
  active boolean not null default true,
  -- the place of the role in the chain of command. null: last
  command_order smallint check (command_order between 1 and 99),
  primary key (client_uid, uid),
  unique (client_uid, code),
  unique (client_uid, name)
);

create table warden_assignment (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  person_uid uuid not null,
  role_uid uuid not null,
  site_uid uuid not null,
  date_from date not null,
  date_to date not null,
  status text not null default 'Offered' check (status in ('Offered', 'Accepted', 'Declined', 'Withdrawn')),
  -- what the last import said: an import changes the status only when its own cell changed
  imported_status text,
  declined_note text,
  responded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, person_uid, role_uid, site_uid, date_from),
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, role_uid) references warden_role,
  foreign key (client_uid, site_uid) references site,
  check (date_to >= date_from),
  check (responded_at is null or status not in ('Declined', 'Withdrawn') or length(trim(declined_note)) > 0)
);
create index warden_assignment_site on warden_assignment (client_uid, site_uid) where status = 'Accepted';
-- The console counts assignments by role and by place.
create index warden_assignment_role on warden_assignment (client_uid, role_uid);

-- None at all for a Site domain; else a building or a floor each.
create table assignment_location (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  assignment_uid uuid not null,
  building_uid uuid,
  floor_uid uuid,
  created_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique nulls not distinct (client_uid, assignment_uid, building_uid, floor_uid),
  foreign key (client_uid, assignment_uid) references warden_assignment,
  foreign key (client_uid, building_uid) references building,
  foreign key (client_uid, floor_uid) references floor,
  check (num_nonnulls(building_uid, floor_uid) = 1)
);
create index assignment_location_floor on assignment_location (client_uid, floor_uid) where floor_uid is not null;
create index assignment_location_building on assignment_location (client_uid, building_uid) where building_uid is not null;

-- Days on which a warden is not in. Deleted 30 days after the day.
create table warden_absence (
  client_uid uuid not null,
  assignment_uid uuid not null,
  day date not null,
  primary key (client_uid, assignment_uid, day),
  foreign key (client_uid, assignment_uid) references warden_assignment on delete cascade
);
create index warden_absence_day on warden_absence (day);

create table document (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  name text not null,
  -- exactly one: an https link, or the name of a file in the document store
  url text check (url ~ '^https://'),
  storage_key text,
  site_uid uuid,
  role_uid uuid,
  person_uid uuid,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Size of the stored file. Null: a link, or a file imported before this was counted.
  bytes bigint,
  primary key (client_uid, uid),
  unique (client_uid, code),
  foreign key (client_uid, site_uid) references site,
  foreign key (client_uid, role_uid) references warden_role,
  foreign key (client_uid, person_uid) references person,
  check (num_nonnulls(url, storage_key) = 1),
  check (num_nonnulls(site_uid, role_uid, person_uid) >= 1)
);

grant select, insert, update on warden_role, warden_assignment to evac_app, evac_system;
grant select, insert, update, delete on assignment_location to evac_app, evac_system;
grant select, insert, delete on warden_absence to evac_app, evac_system;
grant select, insert, update on document to evac_app;
grant select, insert, update, delete on document to evac_system;

-- ----- Lists of an organisation

create table event_type (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  type text not null,
  description text not null default '',
  message text not null default '' check (length(message) <= 130),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  default_kind text not null default 'live' check (default_kind in ('live', 'drill')),
  primary key (client_uid, uid),
  unique (client_uid, code)
);

create table message_template (
  client_uid uuid not null references client,
  id bigint generated always as identity,
  code text not null,
  type text not null check (type in ('Warden', 'Evacuee')),
  text text not null check (length(text) between 1 and 130),
  automated_response boolean not null default false,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A template is named by this in the console. The table is small: at most 500 rows of an organisation.
  uid uuid not null default gen_random_uuid(),
  primary key (client_uid, id),
  unique (client_uid, code)
);
create unique index message_template_uid on message_template (client_uid, uid);

create table checklist_item (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  -- answers in records name an item by its text
  text text not null,
  display_order integer not null,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, code)
);

grant select, insert, update on event_type, message_template to evac_app, evac_system;
grant select, insert, update, delete on checklist_item to evac_app, evac_system;

-- ----- Administrators

-- A grant. Who changes one ends it and makes another: what was granted stays readable.
create table administrator (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  person_uid uuid not null,
  reach text not null check (reach in ('organisation', 'site', 'group')),
  site_uid uuid,
  group_uid uuid,
  sees_plans boolean not null default false,
  -- null: the set-up or the operator
  granted_by_person_uid uuid,
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- a second factor is set up through a link only: at the upgrade to this rule, who had none was still to be mailed one
  owed_link boolean not null default false,
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, site_uid) references site,
  foreign key (client_uid, group_uid) references people_group,
  check ((reach = 'site') = (site_uid is not null)),
  check ((reach = 'group') = (group_uid is not null))
);
create unique index administrator_one_grant on administrator (client_uid, person_uid) where revoked_at is null;

-- The first password of a person who was invited. The token is made from the uid at sending; only its SHA-256 is kept.
create table invitation (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  person_uid uuid not null,
  token_hash bytea not null unique,
  invited_by_person_uid uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  voided_at timestamptz,
  -- an administrator has seen the link: invited_by_person_uid
  shown boolean not null default false,
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person
);
create index invitation_open on invitation (client_uid, person_uid) where used_at is null and voided_at is null;
create index invitation_uid on invitation (uid);
create index invitation_expiry on invitation (expires_at);

-- What an authenticator knows, sealed with a key of SECRET_KEY. last_step: the newest time step whose code was taken.
create table second_factor (
  account_uid uuid primary key references account,
  secret bytea not null,
  last_step bigint not null,
  set_at timestamptz not null default now()
);

create table recovery_code (
  account_uid uuid not null references second_factor on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_uid, code_hash)
);

-- Between password and code. password_digest: SHA-256 of the password's hash, so that a new password by any door ends it;
-- further accounts: those of other organisations that the same password has opened, with their digests in the same order.
create table console_ticket (
  uid uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  step text not null check (step in ('code', 'enrol')),
  account_uid uuid not null references account,
  password_digest bytea not null,
  further_account_uids uuid[] not null default '{}',
  further_digests bytea[] not null default '{}',
  -- of a second factor that no code has proven yet, sealed
  secret bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index console_ticket_expiry on console_ticket (expires_at);

create table console_session (
  uid uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique,
  account_uid uuid not null references account,
  password_digest bytea not null,
  further_account_uids uuid[] not null default '{}',
  further_digests bytea[] not null default '{}',
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  confirmed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index console_session_account on console_session (account_uid);
create index console_session_expiry on console_session (expires_at);

grant select, insert, update on administrator to evac_app, evac_system;
grant select, insert, update on invitation to evac_app;
grant select, insert, update, delete on invitation, second_factor, recovery_code, console_ticket,
  console_session to evac_system;

-- ----- Tables in and out

-- Tables brought in by administrators, and acts on ticked people.
create table upload (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  state text not null default 'open' check (
    state in ('open', 'checking', 'checked', 'applying', 'applied', 'undoing', 'undone', 'failed', 'dropped')),
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
  -- what it is of: tables, or an act on ticked people
  kind text not null default 'tables'
    check (kind in ('tables', 'move', 'deactivate', 'add_to_group', 'take_out_of_group', 'invite')),
  -- its rows can be found again, which undoing needs
  has_keys boolean not null default false,
  -- the grant of who undoes it
  undoing_administrator_uid uuid,
  undone_by_person_uid uuid,
  undone_at timestamptz,
  primary key (client_uid, uid),
  foreign key (client_uid, by_person_uid) references person,
  foreign key (client_uid, administrator_uid) references administrator,
  foreign key (client_uid, undoing_administrator_uid) references administrator,
  foreign key (client_uid, undone_by_person_uid) references person
);
create index upload_newest on upload (client_uid, created_at, uid);
-- Never two at once.
create unique index upload_at_work on upload (client_uid) where state in ('applying', 'undoing');
create index upload_due on upload (created_at) where state in ('checking', 'applying', 'undoing');
create index upload_applied on upload (client_uid, applied_at) where state = 'applied';

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
  -- A row that an upload leaves out, as it stood in its file, beside the first of its problems. Never of a plan.
  cells jsonb,
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
  -- The uid of the stored row; null for a new one, which its cells name. Of plans and sign-in names the code of the person.
  key text,
  primary key (client_uid, upload_uid, seq),
  foreign key (client_uid, upload_uid) references upload
);
create index upload_change_kind on upload_change (client_uid, upload_uid, file, kind, seq);

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
  -- the upload whose end waits
  upload_uid uuid,
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, assignment_uid) references warden_assignment,
  check ((kind = 'assignment_end') = (assignment_uid is not null)),
  check ((done_at is null) = (outcome is null)),
  foreign key (client_uid, upload_uid) references upload
);
-- A newer wish replaces an older one.
create unique index waiting_change_one on waiting_change (client_uid, kind, person_uid, assignment_uid) nulls not distinct
  where done_at is null;
create index waiting_change_done on waiting_change (done_at) where done_at is not null;
create index waiting_change_of_upload on waiting_change (client_uid, upload_uid) where upload_uid is not null;

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
-- Asked for twice while it is being made, it is made once.
create unique index directory_export_making on directory_export (client_uid, administrator_uid) where state = 'making';
create index directory_export_expired on directory_export (expires_at);
create unique index directory_export_uid on directory_export (uid);

grant select, insert, update, delete on upload_part to evac_app, evac_system;
grant select, insert, update on upload, waiting_change, directory_export to evac_app;
grant select on upload_problem, upload_change to evac_app;
grant select, insert, update, delete on upload, upload_problem, upload_change, waiting_change, directory_export to evac_system;

-- ----- Evacuation plans of people

-- Health data: read only by the calls that need it, never journaled, never logged.
create table peep (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  person_uid uuid not null,
  disability text not null default '',
  assistance text not null default '',
  other text not null default '',
  summary text not null default '',
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- null: not recorded
  consent text check (consent in ('person', 'guardian')),
  consent_on date,
  review_on date,
  -- the upload that has made, or ended, a plan: its text stands here alone
  made_by_upload_uid uuid,
  ended_by_upload_uid uuid,
  -- whether the fire service reads what help a person needs. null: as the organisation says
  fire_service boolean,
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, made_by_upload_uid) references upload,
  foreign key (client_uid, ended_by_upload_uid) references upload
);
create unique index peep_one_active on peep (client_uid, person_uid) where active;
create index peep_of_upload on peep (client_uid, ended_by_upload_uid, person_uid) where ended_by_upload_uid is not null;

grant select, insert, update on peep to evac_app;
grant select, insert, update, delete on peep to evac_system;

-- ----- Events and who is on duty

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
  -- by the steady clock, as message.written_at: they order records and are never shown. So are status_at, status_observed_at,
  -- text_status_at, place_seen_at and sight_at of evacuee, and received_at of inbound_text. Others keep wall time
  began_at timestamptz not null default steady_now(),
  kind text not null default 'live' check (kind in ('live', 'drill')),
  -- people were told before. null: the event began live
  announced boolean,
  -- when a drill became a live event
  live_from timestamptz,
  live_by_person_uid uuid,
  -- steady time: nothing that was observed before it makes anyone safe. null: began_at
  counts_from timestamptz,
  -- false: no further texts of unknown numbers, calls for help aside
  unknown_texts_open boolean not null default true,
  -- hashes of numbers for which the list has no room, 5,000 at most
  more_numbers integer[] not null default '{}',
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
  -- when the status was seen, by the steady clock, and by which phone's clock
  observed_at timestamptz,
  observed_session_uid uuid,
  observed_phone_ms bigint,
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
  -- 'I understand', of a drill that became a live event
  live_seen_at timestamptz,
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
-- nodes know wardens on duty by their sign-in alone
create index warden_sign_in_on_duty on warden_sign_in (uid) where on_duty;

-- When the phone of a warden on duty was last in contact, by socket or poll. One upsert a minute for each node.
create table warden_contact (
  client_uid uuid not null,
  sign_in_uid uuid not null,
  seen_at timestamptz not null,
  primary key (client_uid, sign_in_uid),
  foreign key (client_uid, sign_in_uid) references warden_sign_in on delete cascade
);

-- A floor, or with floor_uid null a whole building that no assignment names a floor of. A claim stands while its
-- sign-in is on duty: one of a warden off duty is ended by the next claimant's statement.
create table floor_claim (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  building_uid uuid not null,
  floor_uid uuid,
  place_uid uuid not null generated always as (coalesce(floor_uid, building_uid)) stored,
  sign_in_uid uuid not null,
  claimed_at timestamptz not null default now(),
  ended_at timestamptz,
  end_reason text check (end_reason in ('given_back', 'left')),
  primary key (client_uid, uid),
  check ((ended_at is null) = (end_reason is null)),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, building_uid) references building,
  foreign key (client_uid, floor_uid) references floor,
  foreign key (client_uid, sign_in_uid) references warden_sign_in
);
-- of two wardens at once, one has the floor
create unique index floor_claim_one on floor_claim (client_uid, event_uid, place_uid) where ended_at is null;
create index floor_claim_event on floor_claim (client_uid, event_uid);
create index floor_claim_sign_in on floor_claim (client_uid, sign_in_uid);

-- A lapsed offer is closed by the next one of its floor.
create table floor_offer (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  building_uid uuid not null,
  floor_uid uuid,
  place_uid uuid not null generated always as (coalesce(floor_uid, building_uid)) stored,
  to_sign_in_uid uuid not null,
  by_sign_in_uid uuid not null,
  offered_at timestamptz not null default now(),
  ends_at timestamptz not null,
  answered_at timestamptz,
  answer text check (answer in ('yes', 'no', 'taken', 'lapsed')),
  primary key (client_uid, uid),
  check ((answered_at is null) = (answer is null)),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, building_uid) references building,
  foreign key (client_uid, floor_uid) references floor,
  foreign key (client_uid, to_sign_in_uid) references warden_sign_in,
  foreign key (client_uid, by_sign_in_uid) references warden_sign_in
);
create unique index floor_offer_one on floor_offer (client_uid, event_uid, place_uid) where answered_at is null;
create index floor_offer_event on floor_offer (client_uid, event_uid);
create index floor_offer_to on floor_offer (client_uid, to_sign_in_uid);
create index floor_offer_by on floor_offer (client_uid, by_sign_in_uid);

grant select, insert, update on event, event_building, event_floor, warden_sign_in, floor_claim, floor_offer to evac_app;
grant select on warden_contact to evac_app;
grant select, insert, update, delete on event, event_building, event_floor, warden_sign_in, floor_claim,
  floor_offer to evac_system;
grant select, insert, update on warden_contact to evac_system;

-- ----- Sign-in

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
  -- accounts of the same person elsewhere that the same sign-in proved
  further_account_uids uuid[] not null default '{}',
  device text check (device in ('iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux', 'other')),
  -- opened by a link that a program may have followed: proved by the first touch or key
  unproved boolean not null default false,
  -- someone else has changed the address that opened the session, while its warden was on duty: it ends with that duty
  address_left_at timestamptz,
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, assignment_uid) references warden_assignment,
  foreign key (client_uid, sign_in_uid) references warden_sign_in
);
create index session_person on session (client_uid, person_uid) where revoked_at is null;
create index session_expiry on session (expires_at);
-- A new password ends every session of its account.
create index session_account on session (account_uid) where revoked_at is null;
-- sessions that were revoked refer to it, too
create index session_of_sign_in on session (client_uid, sign_in_uid) where sign_in_uid is not null;
create index session_further_accounts on session using gin (further_account_uids) where revoked_at is null;

create table mobile_token (
  uid uuid primary key default gen_random_uuid(),
  account_uid uuid not null references account,
  phone text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- the page that redeems a link proves itself by a nonce, so that it may ask again when the answer was lost
  nonce_hash bytea,
  voided_at timestamptz,
  -- the unproved session that the link has opened. Another browser may still open the link and ends that session
  session_uid uuid
);
create index mobile_token_phone on mobile_token (phone, expires_at);
create index mobile_token_session on mobile_token (session_uid) where session_uid is not null;

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
create index report_in_link_event on report_in_link (client_uid, event_uid);
create index report_in_link_sign_in on report_in_link (client_uid, sign_in_uid);
create index report_in_link_sender on report_in_link (client_uid, sender_sign_in_uid) where sender_sign_in_uid is not null;

-- A row for each request, also where no one has the address (account_uid is null then): both cost the same. The link's
-- token is made from the uid at sending; only its SHA-256 is kept.
create table password_reset (
  uid uuid primary key,
  account_uid uuid references account,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  voided_at timestamptz,
  -- the address that a link went to. The link sets the password of the account that has that address while it is used
  email text
);
create index password_reset_account on password_reset (account_uid) where used_at is null and voided_at is null;
create index password_reset_expiry on password_reset (expires_at);

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

grant select, insert, update on session, report_in_link, sign_in_log to evac_app;
grant select, insert, update, delete on session, mobile_token, report_in_link, password_reset, sign_in_log to evac_system;

-- ----- People in an event

-- The snapshot of who must be accounted for. place_uid is the floor, or the building of one without a floor.
-- Pages keep room for the next version of a row: recording a status moves no one to another page.
-- No foreign keys: the snapshot is one `insert … select` over the tables that it names, and while an event is there nothing of
-- them is deleted. Checked row by row they would cost more than all the rest of the start together.
create table evacuee (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  person_uid uuid not null,
  sort_name text collate names not null,
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
  -- when the status came by text, which proves no one: it says so as long as this is still the time of the status
  text_status_at timestamptz,
  -- when the person was seen where the list has them; null while no one has seen them there. A danger may be newer than the
  -- place: a text, or a record in the list of people, names none
  place_seen_at timestamptz,
  -- when the person was last seen, by the session that reported it and that phone's own clock. What one phone saw later is
  -- never older than what it saw before, however long the first report was on its way
  sight_at timestamptz,
  sight_session_uid uuid,
  sight_phone_ms bigint,
  -- what the drill knew of the person, and when it was recorded
  drill_status text check (drill_status in ('safe', 'unknown', 'danger')),
  drill_status_at timestamptz,
  -- steady time, as counts_from: a record that waited for this row knows it only from here
  set_back_at timestamptz,
  -- steady time at which a record saw the person before the event began. Null once a record counts
  seen_before_at timestamptz,
  -- two records of the person that cannot both be complete
  dispute text check (dispute in ('own_safe', 'own_lifted', 'late_safe', 'two_places')),
  -- steady time at which the record was seen that does not stand. That of the other is status_observed_at
  dispute_at timestamptz,
  -- steady time of the status that their own page set, as text_status_at for texts. It is the status's as long as both are equal
  self_status_at timestamptz,
  -- for searches of one or two letters, which read the people of the event. Null: written by an older version
  search_name text,
  primary key (client_uid, uid),
  unique (client_uid, event_uid, person_uid)
) with (fillfactor = 85);
-- Keys that rise are written at the end of their index.
do $$ begin
  if current_setting('server_version_num')::int >= 180000 then
    alter table evacuee alter uid set default uuidv7();
  end if;
end $$;
-- a place is of one event, an event of one organisation: neither makes the rows of the other fewer
create statistics evacuee_place (dependencies) on client_uid, event_uid, place_uid from evacuee;
create index evacuee_place_page on evacuee (client_uid, event_uid, place_uid, sort_name, uid) where active;
-- A place by status and name: the few in danger are found without walking past everyone else. Everyone begins as unknown:
-- left out, the index costs the start of an event nothing, and whole pages of the unknown are found by name.
create index evacuee_status_page on evacuee (client_uid, event_uid, place_uid, status, sort_name, uid)
  where active and status <> 'unknown';
create index evacuee_visitor on evacuee (client_uid, event_uid, place_uid) where active and visitor;
create index evacuee_refused on evacuee (client_uid, event_uid, place_uid) where active and refused;
create index evacuee_dispute on evacuee (client_uid, event_uid) where dispute is not null;

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

-- Contradictions that an event manager keeps as they are.
create table contradiction_kept (
  client_uid uuid not null references client,
  event_uid uuid not null,
  kind text not null check (kind in ('cleared_danger', 'cleared_plan', 'cleared_refusal', 'cleared_seen', 'own_safe', 'own_lifted',
    'late_safe', 'two_places')),
  -- a floor or a person
  subject_uid uuid not null,
  -- the times of both records: with others the contradiction is shown again
  state text not null,
  reason text not null check (length(reason) between 3 and 200),
  by_sign_in_uid uuid not null,
  kept_at timestamptz not null default now(),
  primary key (client_uid, event_uid, kind, subject_uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, by_sign_in_uid) references warden_sign_in
);
create index contradiction_kept_sign_in on contradiction_kept (client_uid, by_sign_in_uid);

grant select, insert, update on evacuee, tally, contradiction_kept to evac_app;
grant select, insert, update, delete on evacuee, tally, contradiction_kept to evac_system;

-- ----- Command

-- Who is in command of an event, one turn after the other.
create table command_turn (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  -- null: no one is in command. Nor is anyone while this warden is off duty
  sign_in_uid uuid,
  began_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  -- how the turn began
  how text not null check (how in ('start', 'handed_over', 'taken', 'silent')),
  -- of the beginning, as the counts
  note text check (length(note) between 1 and 500),
  counts jsonb,
  -- whom its commander has asked to take over
  asked_sign_in_uid uuid,
  asked_at timestamptz,
  asked_note text check (length(asked_note) between 1 and 500),
  -- when the commander was last heard, set once that is too long ago
  silent_at timestamptz,
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, sign_in_uid) references warden_sign_in,
  foreign key (client_uid, asked_sign_in_uid) references warden_sign_in,
  check ((asked_sign_in_uid is null) = (asked_at is null))
);
create unique index command_turn_current on command_turn (client_uid, event_uid) where ended_at is null;
create index command_turn_event on command_turn (client_uid, event_uid, began_at);
create index command_turn_sign_in on command_turn (client_uid, sign_in_uid);
create index command_turn_asked on command_turn (client_uid, asked_sign_in_uid) where asked_sign_in_uid is not null;

-- Instructions to the wardens of floors, and who has understood them.
create table instruction (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  kind text not null check (kind in ('evacuate', 'stay', 'prepare', 'all_clear', 're_entry', 'recheck')),
  message text not null check (length(message) between 1 and 130),
  -- null: all floors
  floors uuid[] check (cardinality(floors) > 0),
  -- who has not understood after a minute is texted
  text boolean not null,
  -- when they were
  texted_at timestamptz,
  by_sign_in_uid uuid not null,
  at timestamptz not null default clock_timestamp(),
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, by_sign_in_uid) references warden_sign_in
);
create index instruction_event on instruction (client_uid, event_uid, at);
create index instruction_by on instruction (client_uid, by_sign_in_uid);
create index instruction_to_text on instruction (at) where text and texted_at is null;

create table instruction_answer (
  client_uid uuid not null,
  instruction_uid uuid not null,
  sign_in_uid uuid not null,
  event_uid uuid not null,
  understood_at timestamptz,
  texted_at timestamptz,
  primary key (client_uid, instruction_uid, sign_in_uid),
  foreign key (client_uid, instruction_uid) references instruction,
  foreign key (client_uid, sign_in_uid) references warden_sign_in,
  foreign key (client_uid, event_uid) references event
);
create index instruction_answer_sign_in on instruction_answer (client_uid, sign_in_uid);
create index instruction_answer_event on instruction_answer (client_uid, event_uid);

grant select, insert, update on command_turn, instruction, instruction_answer to evac_app;
grant select, insert, update, delete on command_turn, instruction, instruction_answer to evac_system;

-- ----- Messages

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
  -- the status that an incoming text set by itself
  recorded text check (recorded in ('safe', 'danger')),
  written_at timestamptz not null default steady_now(),
  -- when a message in the app was texted as well, because no one had opened it
  texted_at timestamptz,
  -- names of all who have the number: it is not known who wrote
  shared_with text check (length(shared_with) between 1 and 200),
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
create index message_unread on message (client_uid, event_uid, evacuee_uid)
  where evacuee_uid is not null and direction = 'in' and read_at is null;
create index message_last on message (client_uid, event_uid, evacuee_uid, seq desc) include (direction)
  where evacuee_uid is not null;
create index message_sender on message (client_uid, event_uid, sender_sign_in_uid) where kind = 'warden';
-- What refers to a warden's sign-in is looked for when an event is deleted.
create index message_from on message (client_uid, sender_sign_in_uid) where sender_sign_in_uid is not null;
create index message_to on message (client_uid, recipient_sign_in_uid) where recipient_sign_in_uid is not null;
create index message_unopened on message (written_at)
  where kind = 'warden' and direction = 'out' and read_at is null and texted_at is null;

-- What everyone is to be told, written down with the change; a worker turns it into texts page by page. `after_person_uid`
-- is how far it has come: page and place are one statement, so a killed worker leaves no one out and tells no one twice.
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
  -- it stands in each receiver's thread as the message of its sender
  sender_sign_in_uid uuid,
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, sender_sign_in_uid) references warden_sign_in
);
create index broadcast_open on broadcast (created_at) where finished_at is null;
create index broadcast_event on broadcast (client_uid, event_uid);

grant select, insert, update on message, broadcast to evac_app;
grant select, insert, update, delete on message, broadcast to evac_system;

-- ----- Texts

-- Every text message that someone is to get. The row is the truth, a job only carries its uid. States move forward only.
create table sms (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid,
  kind text not null check (kind in ('event_message', 'warden_alert', 'event_concluded', 'sign_in_link', 'report_in_link',
    'message', 'offer', 'command', 'instruction', 'plan')),
  person_uid uuid,
  sign_in_uid uuid,
  -- null when there is nothing to send to: kept all the same, so that no one is believed to have been told
  to_mobile text,
  -- '{link}' stands for the person's own link; its token is made at sending and never stored
  body text not null,
  link_uid uuid,
  status text not null default 'queued'
    check (status in ('queued', 'handed_over', 'delivered', 'failed', 'unconfirmed', 'expired', 'skipped')),
  reason text,
  created_at timestamptz not null default now(),
  valid_until timestamptz not null,
  changed_at timestamptz not null default now(),
  -- a claimed text belongs to one worker until the lease runs out: a killed worker loses nothing. A text that could not be
  -- handed over for the moment waits by the same column
  claimed_until timestamptz,
  attempts integer not null default 0,
  provider_id text,
  mobile_token_uid uuid references mobile_token on delete set null,
  -- the message that this text carries: its state is how far the message has come
  message_seq bigint,
  -- the gateway that took it last, and by `provider_id` which of its handovers counts
  gateway text,
  -- what it was charged as; null: not yet
  segments integer,
  -- what was put before the text of a drill when it was claimed. The body stays as written
  prefix text not null default '',
  plan_notice_uid uuid,
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, sign_in_uid) references warden_sign_in,
  foreign key (client_uid, link_uid) references report_in_link,
  foreign key (client_uid, message_seq) references message
);
create index sms_event on sms (client_uid, event_uid, status);
-- What is soonest too late goes first: sign-in links (3 minutes) overtake alerts (15).
create index sms_due on sms (valid_until) where status = 'queued';
create index sms_unconfirmed on sms (changed_at) where status = 'handed_over';
create index sms_age on sms using brin (created_at);
create index sms_mobile_token on sms (mobile_token_uid) where mobile_token_uid is not null;
-- The newest text of a person decides whether they were reached.
create index sms_person on sms (client_uid, event_uid, person_uid) where event_uid is not null;
create index sms_message on sms (client_uid, message_seq) where message_seq is not null;
create index sms_oldest_queued on sms (created_at) where status = 'queued';
-- What refers to a warden's sign-in, or to a link, is looked for when an event is deleted: without these all texts of the
-- client would be walked for each of them. Texts to everyone carry neither and are in none of them.
create index sms_sign_in on sms (client_uid, sign_in_uid) where sign_in_uid is not null;
create index sms_link on sms (client_uid, link_uid) where link_uid is not null;
create index sms_plan_notice on sms (plan_notice_uid) where plan_notice_uid is not null;

-- One row for each piece that a provider took, under the name the provider gave it. A receipt may come before we know
-- that name, and then waits here; whichever of the two comes second finds the other.
create table sms_part (
  gateway text not null,
  provider_id text not null,
  sms_client_uid uuid,
  sms_uid uuid,
  -- pieces that were handed over together, and how many they are
  handover text,
  parts integer,
  state text check (state in ('delivered', 'failed')),
  reason text,
  noted_at timestamptz not null default now(),
  -- of a receipt in another spelling: the id of the part that it was of
  alias_of text,
  -- a receipt for which no part was found in a minute
  unmatched_at timestamptz,
  primary key (gateway, provider_id),
  foreign key (sms_client_uid, sms_uid) references sms
);
create index sms_part_sms on sms_part (sms_client_uid, sms_uid);
create index sms_part_age on sms_part using brin (noted_at);
create index sms_part_spelling on sms_part (gateway, (regexp_replace(lower(provider_id), '^(0x)?0*', '')))
  where sms_uid is not null and state is null;
create index sms_part_lost on sms_part (noted_at) where sms_uid is null and alias_of is null and unmatched_at is null;

-- Segments sent of each pot on a day (UTC).
create table sms_spend (
  client_uid uuid not null references client,
  day date not null,
  pot text not null check (pot in ('sign_in_links', 'links', 'alerts')),
  segments integer not null default 0,
  primary key (client_uid, day, pot)
);

-- Numbers that answered STOP. A number, not a person: providers know nothing else, and stop it for everyone.
create table sms_refusal (
  mobile text primary key,
  since timestamptz not null default now()
);

-- What people wrote back: kept first, then answered to the provider, then passed on. The key makes a repetition harmless.
create table inbound_text (
  gateway text not null,
  provider_id text not null,
  from_mobile text not null,
  body text not null,
  received_at timestamptz not null default steady_now(),
  passed_on_at timestamptz,
  next_try_at timestamptz not null default steady_now(),
  attempts integer not null default 0,
  -- steady time at which the sender's provider says that it was sent; pictures that came with it
  sent_at timestamptz,
  media integer not null default 0,
  primary key (gateway, provider_id)
);
create index inbound_text_age on inbound_text using brin (received_at);
-- A repetition of a text without a name is known by what its phone said last.
create index inbound_text_phone on inbound_text (from_mobile, received_at);
-- Replies are taken oldest first: walked in that order a batch of 50 out of 20,000 takes 4 ms, sorted it takes 20 to 40.
create index inbound_text_in_line on inbound_text (received_at) where passed_on_at is null;

-- Pieces of a long text from a phone, until all of them are here.
create table inbound_piece (
  gateway text not null,
  from_mobile text not null,
  reference integer not null,
  of integer not null,
  nth integer not null,
  provider_id text not null,
  body text not null,
  received_at timestamptz not null default now(),
  primary key (gateway, from_mobile, reference, of, nth)
);
create index inbound_piece_age on inbound_piece (received_at);

-- A provider delivers a text again until it is answered: the key takes it once.
create table received_reply (
  provider_id text primary key,
  outcome text not null,
  received_at timestamptz not null default now()
);
create index received_reply_age on received_reply using brin (received_at);

-- What has arrived on a simulated phone. The key is the text's own uid: handing it over twice shows it once.
create table simulated_text (
  uid uuid primary key,
  to_mobile text not null,
  body text not null,
  received_at timestamptz not null default now()
);
create index simulated_text_phone on simulated_text (to_mobile, received_at);

grant select, insert, update on sms_spend to evac_app, evac_system;
grant select, insert, update on sms to evac_app;
grant select on sms_refusal to evac_app;
grant select, insert, update, delete on sms, sms_part, inbound_text, inbound_piece, received_reply to evac_system;
grant select, insert, delete on sms_refusal, simulated_text to evac_system;

-- ----- Mails

-- Outgoing mails. The row is the truth, a job only carries a uid; states, lease and tries as in sms. A mail is for an
-- account, which is no tenant's.
create table mail (
  uid uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('password_reset', 'password_changed', 'invitation', 'notice', 'offer', 'record',
    'action', 'coverage')),
  account_uid uuid references account,
  -- null when there is no one to send to
  to_email text,
  subject text not null,
  -- '{link}' stands for the person's own link; its token is made at sending and never stored
  body text not null,
  password_reset_uid uuid references password_reset on delete set null,
  status text not null default 'queued' check (status in ('queued', 'handed_over', 'failed', 'expired', 'skipped')),
  reason text,
  created_at timestamptz not null default now(),
  valid_until timestamptz not null,
  changed_at timestamptz not null default now(),
  claimed_until timestamptz,
  attempts integer not null default 0,
  -- whose link stands for '{link}'
  invitation_uid uuid,
  -- for mails that are sent once, however many workers make them: '{action} given', '{action} due'
  once_key text,
  -- about a plan that was opened. Its link is made when it is sent
  plan_notice_uid uuid,
  check (to_email is not null or status <> 'queued')
);
create index mail_due on mail (valid_until) where status = 'queued';
create index mail_age on mail (created_at);
create index mail_password_reset on mail (password_reset_uid) where password_reset_uid is not null;
create unique index mail_once on mail (once_key) where once_key is not null;
create index mail_plan_notice on mail (plan_notice_uid) where plan_notice_uid is not null;

-- What has arrived in the simulated mailboxes. The key is the mail's own uid: handing it over twice shows it once.
create table simulated_mail (
  uid uuid primary key,
  to_email text not null,
  subject text not null,
  body text not null,
  received_at timestamptz not null default now()
);
create index simulated_mail_box on simulated_mail (lower(to_email), received_at);

grant select, insert, update, delete on mail to evac_system;
grant select, insert, delete on simulated_mail to evac_system;

-- ----- What people say of themselves

-- By a personal link, the poster of a site, or a text of an unknown number.
create table self_report (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  way text not null check (way in ('link', 'poster', 'text')),
  -- 'words': a text that neither says safe nor calls for help
  status text not null check (status in ('safe', 'help', 'words')),
  -- of a personal link its person, else who was recorded from it
  evacuee_uid uuid,
  said_name text check (length(said_name) between 1 and 100),
  -- digits with country code if it can be read as a mobile number, else as it was written
  said_mobile text check (length(said_mobile) between 1 and 30),
  building_uid uuid,
  floor_uid uuid,
  words text check (length(words) between 1 and 2000),
  network text not null,
  -- the number of the form, and how many other reports were made with it before: two presses are one
  form_key bytea not null,
  nth smallint not null default 0,
  -- steady time
  at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'dismissed', 'answered', 'false')),
  by_sign_in_uid uuid,
  handled_at timestamptz,
  -- who goes there
  who text check (length(who) between 1 and 60),
  -- a word of danger with a no before it
  unsure boolean not null default false,
  -- of several organisations with a running event, none knows the number
  elsewhere boolean not null default false,
  -- where reports by poster come from: the line stands in network. Null: stored by an older version
  home text,
  site text,
  primary key (client_uid, uid),
  unique (client_uid, form_key, nth),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, evacuee_uid) references evacuee on delete set null (evacuee_uid),
  foreign key (client_uid, building_uid) references building,
  foreign key (client_uid, floor_uid) references floor,
  foreign key (client_uid, by_sign_in_uid) references warden_sign_in
);
create index self_report_event on self_report (client_uid, event_uid, way, at);
create index self_report_open on self_report (client_uid, event_uid, status, at) where state = 'open';
create index self_report_evacuee on self_report (client_uid, evacuee_uid) where evacuee_uid is not null;
create index self_report_sign_in on self_report (client_uid, by_sign_in_uid) where by_sign_in_uid is not null;
create index self_report_calls_of_site on self_report (client_uid, event_uid, site) where state = 'open' and status = 'help';

-- Calls for help beyond the limit of their network: they are counted, and nothing else of them is kept.
create table self_report_more (
  client_uid uuid not null,
  event_uid uuid not null,
  site text not null,
  count int not null,
  -- those that a warden has dismissed
  dismissed int not null default 0,
  first_at timestamptz not null,
  newest_at timestamptz not null,
  primary key (client_uid, event_uid, site),
  foreign key (client_uid, event_uid) references event,
  check (dismissed between 0 and count)
);

create table self_report_page (
  client_uid uuid not null,
  site_uid uuid not null,
  -- what the poster of the site has in its address
  code text not null unique check (length(code) = 8),
  open boolean not null default true,
  since timestamptz not null default now(),
  primary key (client_uid, site_uid),
  foreign key (client_uid, site_uid) references site
);

create table self_link (
  client_uid uuid not null,
  evacuee_uid uuid not null,
  uid uuid not null,
  -- the token itself is kept nowhere
  token_hash bytea not null unique,
  made_at timestamptz not null default now(),
  -- at a restore. Otherwise it ends with its event
  revoked_at timestamptz,
  primary key (client_uid, evacuee_uid),
  foreign key (client_uid, evacuee_uid) references evacuee on delete cascade
);

grant select, insert, update (evacuee_uid, state, by_sign_in_uid, handled_at, who) on self_report to evac_app;
grant select, insert, update (count, dismissed, newest_at) on self_report_more to evac_app;
grant select, insert, update (code, open, since) on self_report_page to evac_app;
grant select, insert, update (uid, token_hash, made_at, revoked_at) on self_link to evac_app;
grant select, insert, update, delete on self_report, self_report_more, self_report_page, self_link to evac_system;

-- ----- Fire service

create table hazard (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  -- null: the whole site
  building_uid uuid,
  floor_uid uuid,
  words text not null check (length(words) between 1 and 120),
  by_sign_in_uid uuid not null,
  at timestamptz not null default now(),
  over_at timestamptz,
  over_by_sign_in_uid uuid,
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, building_uid) references building,
  foreign key (client_uid, floor_uid) references floor,
  check (floor_uid is null or building_uid is not null)
);
create index hazard_event on hazard (client_uid, event_uid, at);

create table arrival_pack (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  -- the token itself is kept nowhere
  token_hash bytea not null unique,
  by_sign_in_uid uuid not null,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- with the help that people need
  plans boolean not null,
  -- what it shows after the event, as it was at its end: without names, numbers and words of plans, which are read where they
  -- are kept. Null: the event runs
  end_content jsonb,
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event
);
create index arrival_pack_event on arrival_pack (client_uid, event_uid, made_at);

create table arrival_pack_reader (
  client_uid uuid not null,
  pack_uid uuid not null,
  reader_hash bytea not null,
  -- what the reader calls themselves. Empty: nothing
  name text not null check (length(name) <= 60),
  network text not null,
  agent text not null check (length(agent) <= 200),
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  times int not null default 1,
  -- 'others' reads without a name when a pack has its readers, 'printed' is the phone that prints it: one of each a pack
  kind text not null default 'own' check (kind in ('own', 'others', 'printed')),
  -- a digest with a key: it tells no address, only that two readers are of one home
  home bytea,
  -- another reader took the place, and the reader's own address opens no more
  gave_way_at timestamptz,
  primary key (client_uid, pack_uid, reader_hash),
  foreign key (client_uid, pack_uid) references arrival_pack on delete cascade
);

grant select, insert, update (over_at, over_by_sign_in_uid) on hazard to evac_app;
grant select, insert, update (ended_at, end_content) on arrival_pack to evac_app;
grant select, insert, update (last_at, times, gave_way_at) on arrival_pack_reader to evac_app;
grant select, insert, update (words), delete on hazard to evac_system;
grant select, insert, delete on arrival_pack to evac_system;
grant select, insert, update (name, network, agent, home), delete on arrival_pack_reader to evac_system;

-- ----- Plans that were seen

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

-- A person whose plan was opened is told once, after the event.
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

grant select, insert on plan_seen to evac_app;
grant select, insert, update (in_person_at, in_person_by_uid) on plan_notice to evac_app;
grant select, insert, delete on plan_seen to evac_system;
grant select, insert, update, delete on plan_notice to evac_system;

-- ----- Wall screens

-- Links that show the board of a site without a session.
create table wall_link (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  site_uid uuid not null,
  name text not null check (length(name) between 1 and 40),
  place text not null check (place in ('team', 'public')),
  -- the token itself is kept nowhere
  token_hash bytea not null unique,
  by_person_uid uuid not null,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  -- written once a minute at most
  seen_at timestamptz,
  primary key (client_uid, uid),
  foreign key (client_uid, site_uid) references site
);
create index wall_link_site on wall_link (client_uid, site_uid) where ended_at is null;

grant select, insert, update (ended_at) on wall_link to evac_app;
grant select, insert, update (seen_at), delete on wall_link to evac_system;

-- ----- Journal

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
  -- which phone made the entry. No foreign key: entries outlive sessions
  session_uid uuid,
  primary key (xid, position)
);
create index journal_event on journal (event_uid, xid, position) where event_uid is not null;
create index journal_sign_in on journal (subject_uid, xid, position) where subject_type = 'sign_in';
create index journal_age on journal using brin (recorded_at);
-- What raises an alarm is a small part of the journal. A phone asks for it from the position where it was, which
-- may be an hour ago. The condition stands in alarms.queries.ts once more, word for word.
create index journal_alarm on journal (event_uid, xid)
  where action = 'evacuee_status_set' and after->>'status' = 'danger'
    or action = 'evacuee_refusal_set' and after->>'refused' = 'true'
    or action = 'floor_status_set';
-- The audit log reads what happens outside events, with their starts and ends. Hot writes are in none of its indexes.
create index journal_audit on journal (client_uid, position)
  where event_uid is null or action in ('event_started', 'event_ended');
create index journal_audit_actor on journal (client_uid, actor_person_uid, position)
  where event_uid is null or action in ('event_started', 'event_ended');
create index journal_audit_action on journal (client_uid, action, position)
  where event_uid is null or action in ('event_started', 'event_ended');
create index journal_audit_subject on journal (client_uid, subject_uid, position)
  where event_uid is null or action in ('event_started', 'event_ended');
create index journal_plan on journal (client_uid, subject_uid, position) where action in ('plan_viewed', 'plan_changed');
-- Key moments of a timeline.
create index journal_moment on journal (event_uid, xid, position)
  where event_uid is not null and (action not in ('evacuee_status_set', 'messages_read', 'evacuee_messages_read',
    'unread_changed', 'signed_in', 'session_ended', 'record_names_seen') or after ->> 'status' = 'danger');
-- Records that arrived after the end of their event.
create index journal_late on journal (client_uid, event_uid) where action = 'late_record';
-- Whether a person has seen names of a record within the last hour, without reading its whole journal.
create index journal_names_seen on journal (event_uid, actor_person_uid, recorded_at)
  where event_uid is not null and action = 'record_names_seen';
-- Plans opened in an event, among all entries of it.
create index journal_plan_event on journal (event_uid, actor_person_uid) where action = 'plan_viewed' and event_uid is not null;
-- When a person refused to leave is asked once a second while boards read, without reading all that may alarm.
create index journal_refusal on journal (event_uid, subject_uid)
  where action = 'evacuee_refusal_set' and after->>'refused' = 'true';

-- Below this id no transaction is open that may still write into this journal. Snapshots are of the whole server: a
-- transaction of another of its databases is left out, whether it works, idles or was prepared. One that ended between
-- snapshot and look counts as ours, so the horizon may fall for a moment. Without an entry to hold back the look is not made.
create function journal_horizon() returns xid8 language sql stable as $$
  select case
    when not exists (select from journal where xid >= pg_snapshot_xmin(pg_current_snapshot()))
      then pg_snapshot_xmin(pg_current_snapshot())
    else (
      select coalesce(min(open.xid), pg_snapshot_xmax(pg_current_snapshot()))
      from pg_snapshot_xip(pg_current_snapshot()) as open (xid)
      where not exists (select from pg_stat_activity a where a.backend_xid = open.xid::xid and a.datname <> current_database())
        and not exists (select from pg_prepared_xacts p where p.transaction = open.xid::xid and p.database <> current_database()))
  end
$$;

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

-- Tries of a key within its window, each with its moment: "5 in 5 minutes" holds at every moment, not per clock window.
create table recent_attempt (
  key text primary key,
  at timestamptz[] not null
);

-- The journal is never rewritten.
grant select, insert on journal to evac_app;
grant select, insert, update on idempotency to evac_app;
grant select, insert, update, delete on journal, idempotency, throttle, recent_attempt to evac_system;
grant select, insert, update on feed_epoch to evac_system;

-- ----- Records

-- What is kept of an event. No foreign key to event: a record outlives it.
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
  -- the record as its call describes it. Never written again
  summary jsonb,
  ready_at timestamptz,
  -- the sessions of its journal by first use: their places number the phones
  session_uids uuid[] not null default '{}',
  -- when the words of its decisions were deleted
  words_deleted_at timestamptz,
  -- when the closing mail was queued
  mailed_at timestamptz,
  reduced_at timestamptz,
  -- nothing of the event is deleted
  held boolean not null default false,
  -- the steps of its replay as JSON, gzip. It has counts and no persons, so it stays when they go. Null: the record is older,
  -- or its journal does not say with how many people the event began
  replay bytea,
  primary key (client_uid, event_uid),
  unique (client_uid, number)
);
create index event_record_newest on event_record (client_uid, ended_at desc, event_uid desc);
create index event_record_due on event_record (next_try_at) where state in ('writing', 'failed');
-- The nightly deletion takes the words of decisions with the messages of the event.
create index event_record_words on event_record (client_uid, ended_at) where words_deleted_at is null and state = 'ready';
create index event_record_unmailed on event_record (ended_at) where state = 'ready' and mailed_at is null;
create index event_record_held on event_record (client_uid, event_uid) where held;

-- The last number that was given. Its lock keeps numbers without gaps.
create table record_counter (
  client_uid uuid primary key references client,
  last_number integer not null default 0
);

-- What people add. Rows are only ever inserted; the name of an erased person goes, and who gave an outcome goes with its event.
create table record_entry (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  kind text not null check (kind in ('fact', 'outcome', 'observation', 'checklist', 'action', 'action_step', 'correction',
    'sign_off', 'names_reason', 'hold')),
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
  -- of an addition by an observer
  by_observer_uid uuid,
  -- with it the line of an addition can be made again. Its commit stands in its journal entry
  salt text,
  primary key (client_uid, uid),
  unique (client_uid, base_uid)
);
create index record_entry_event on record_entry (client_uid, event_uid, recorded_at);
create index record_entry_actions on record_entry (client_uid, kind, target_uid) where kind in ('action', 'action_step');
create index record_entry_observer on record_entry (client_uid, by_observer_uid, recorded_at) where by_observer_uid is not null;
create index record_entry_action_given on record_entry (recorded_at) where kind = 'action';
create index record_entry_action_due on record_entry ((body ->> 'due')) where kind = 'action';

-- Observers note by a link, without an account.
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
  -- by which assignment or grant it was asked for. Its file is of that reach, and opens while that stands
  assignment_uid uuid,
  administrator_uid uuid,
  primary key (client_uid, uid)
);
create index record_export_due on record_export (next_try_at) where state = 'making';
create index record_export_expired on record_export (expires_at);
create unique index record_export_uid on record_export (uid);
-- Asked for twice with the same reach while it is being made, it is made once.
create unique index record_export_making
  on record_export (client_uid, event_uid, person_uid, assignment_uid, administrator_uid, format, names, md5(reach::text))
  nulls not distinct where state = 'making';

grant select, update (held) on event_record to evac_app;
grant select on record_counter to evac_app;
grant select, insert on record_entry, record_export to evac_app;
grant select, insert, update (revoked_at) on observer_link to evac_app;
grant select, insert, update, delete on event_record, record_counter, record_export to evac_system;
grant select, insert, update (body, by_person_uid, by_name, by_role, salt), delete on record_entry to evac_system;
grant select, insert, delete on observer_link to evac_system;

-- ----- Verifiable log

-- How far the log of an event has come. It outlives its event, so nothing refers to one. Sealing changes it
-- under its row lock; no status write touches it.
create table record_log (
  client_uid uuid not null references client,
  event_uid uuid not null,
  -- makes the salts of the journal's lines; gone with the last row of the event's journal
  salt_secret bytea check (length(salt_secret) = 32),
  size bigint not null default 0,
  -- the newest sealed row, in the order (transaction, position)
  last_xid xid8 not null default '0',
  last_position bigint not null default 0,
  -- the database's epoch when the last entry was sealed; the one in which last_xid and last_position are valid
  epoch text not null,
  read_epoch text not null,
  sealed_at timestamptz not null default now(),
  -- of the newest head
  head_size bigint not null default 0,
  head_at timestamptz,
  primary key (client_uid, event_uid)
);
create index record_log_without_head on record_log (client_uid, event_uid) where head_size < size;
create index record_log_sealed on record_log (sealed_at);

-- 256 lines each. file: journal, people, texts or messages.
create table record_tile (
  client_uid uuid not null,
  event_uid uuid not null,
  file text not null check (file in ('journal', 'people', 'texts', 'messages')),
  idx integer not null,
  -- of the journal: the position of each row
  keys bigint[] not null,
  -- of the journal: between which transactions its rows are
  first_xid bigint,
  last_xid bigint,
  -- 32 bytes of each line
  commits bytea not null,
  -- of a full tile of the journal: the Merkle hash of its leaves
  hash bytea,
  -- gzip of the lines; null of the journal, whose lines are made anew, and after erasure
  lines bytea,
  primary key (client_uid, event_uid, file, idx),
  foreign key (client_uid, event_uid) references record_log
);
alter table record_tile alter column commits set storage external;
alter table record_tile alter column lines set storage external;

-- Each head that was signed. tsr: the time stamp of its note (RFC 3161).
create table record_head (
  client_uid uuid not null,
  event_uid uuid not null,
  size bigint not null,
  root bytea not null,
  note text not null,
  at timestamptz not null default now(),
  tsr bytea,
  primary key (client_uid, event_uid, size),
  foreign key (client_uid, event_uid) references record_log
);
create index record_head_unstamped on record_head (at) where tsr is null;

-- Every key that has signed a head here. A new SECRET_KEY or host is a new key.
create table log_key (
  name text not null,
  key_id text not null,
  public_key bytea not null,
  since timestamptz not null default now(),
  primary key (name, public_key)
);

grant select on record_log, record_tile, record_head to evac_app;
grant select, insert, update on record_log, record_tile, record_head, log_key to evac_system;

-- ----- Search of names

-- Any three letters of a name, any three digits of a number. Where the server has not got the extension (it is part of
-- PostgreSQL, and a database's owner may create it) the same search reads the client's people one by one.
do $$
begin
  create extension if not exists pg_trgm;
  create index person_search on person using gin (search_name gin_trgm_ops);
  create index person_mobiles on person using gin (mobile gin_trgm_ops);
exception when feature_not_supported or undefined_file or insufficient_privilege or undefined_object then
  raise notice 'searching names without an index: %', sqlerrm;
end $$;

-- The people whose name fits all patterns ('%smith%', folded; null looks for no name), or whose mobile fits. One of the
-- patterns has three letters in a row. Row-level security keeps `like` off an index (it is not leakproof), so the search looks
-- by itself at whose people it may read. The index reads the list of every three letters of a pattern: five letters of the
-- longest and four of the next leave a few people, who are then compared. `is true` keeps the whole patterns away from the index.
create function people_named(client uuid, patterns text[], phone_pattern text) returns setof uuid
  language plpgsql stable security definer set search_path = public, pg_temp rows 100
as $$
declare
  pieces text[];
begin
  if not coalesce(client = any (string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[]), false) then
    return;
  end if;
  -- all are the same question; fenced, the small one cannot be answered by the index of everybody's letters
  if (select count(*) from (select from person where client_uid = client limit 2001) few) <= 2000 then
    return query
      with own as materialized (
        select uid, search_name, mobile from person where client_uid = client
      )
      select uid from own where search_name like all (patterns) or mobile like phone_pattern;
    return;
  end if;
  select array_agg(piece order by length(piece) desc) into pieces
  from unnest(patterns) pattern, regexp_split_to_table(pattern, '[%_\\]+') piece where length(piece) >= 3;
  if length(pieces[1] || pieces[2]) >= 7 then
    return query execute
      'select uid from person where client_uid = $1
         and (search_name like $4 and search_name like $5 and (search_name like all ($2)) is true or mobile like $3)'
      using client, patterns, phone_pattern, '%' || left(pieces[1], 5) || '%', '%' || left(pieces[2], 4) || '%';
  else
    return query execute
      'select uid from person where client_uid = $1
         and (search_name like $4 and (search_name like all ($2)) is true or mobile like $3)'
      using client, patterns, phone_pattern, '%' || pieces[1] || '%';
  end if;
end $$;
revoke all on function people_named from public;
grant execute on function people_named to evac_app;

-- The search of the version before: one pattern, by letters in a row as they stand.
create function people_matching(client uuid, name_pattern text, phone_pattern text) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp rows 100
as $$ select people_named(client, array['%' || name_fold(trim(both '%' from name_pattern)) || '%'], phone_pattern) $$;
revoke all on function people_matching from public;
grant execute on function people_matching to evac_app;

-- ----- Rights of every table

grant usage on all sequences in schema public to evac_app, evac_system;

-- The second barrier behind client_uid in each statement. The policy asks by a subquery: if the planner could read it, it
-- would multiply 'one organisation of many' with the statement's own client_uid, take the rows of a small organisation for
-- one, and walk them all where it should look a few up.
do $$
declare
  own record;
begin
  for own in
    select table_name as name, column_name as client from information_schema.columns
    where table_schema = 'public' and (column_name = 'client_uid' or (table_name, column_name) = ('client', 'uid'))
  loop
    execute format('alter table %I enable row level security', own.name);
    execute format(
      $own$create policy own_clients on %I to evac_app
        using (%I = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]))$own$,
      own.name, own.client);
    execute format('create policy everything on %I to evac_system using (true) with check (true)', own.name);
  end loop;
end $$;
