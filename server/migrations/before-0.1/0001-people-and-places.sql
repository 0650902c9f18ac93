-- Organisations, their buildings, people and roles. Every tenant table begins its key with client_uid.

create table client (
  uid uuid primary key default gen_random_uuid(),
  code text not null unique,
  name text not null,
  sms_allowed boolean not null default false,
  timezone text not null default 'Australia/Sydney',
  country text not null default 'AU' check (country in ('AU', 'NZ', 'US', 'UK')),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table site (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  name text not null,
  timezone text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, code),
  unique (client_uid, name)
);

create table building (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  site_uid uuid not null,
  code text not null,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, code),
  unique (client_uid, site_uid, name),
  foreign key (client_uid, site_uid) references site
);

create table floor (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  building_uid uuid not null,
  code text not null,
  name text not null,
  level integer not null,
  kind text not null default 'floor' check (kind in ('floor', 'area')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_uid, uid),
  unique (client_uid, building_uid, code),
  unique (client_uid, building_uid, name),
  foreign key (client_uid, building_uid) references building
);

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
  primary key (client_uid, uid),
  unique (client_uid, code)
);

-- One human who can sign in; a person per client. Not tenant data: one account may be warden at several clients.
create table account (
  uid uuid primary key default gen_random_uuid(),
  email text,
  username text,
  mobile text check (mobile ~ '^[0-9]{8,15}$'),
  password_hash text,
  imported_password_hash text,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index account_email on account (lower(email));
create unique index account_username on account (lower(username));
create unique index account_mobile on account (mobile);

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
  primary key (client_uid, uid),
  unique (client_uid, code),
  unique (client_uid, account_uid),
  foreign key (client_uid, primary_floor_uid) references floor,
  foreign key (client_uid, visiting_building_uid) references building,
  check (kind = 'staff' or (account_uid is null and visit_date is not null))
);
create index person_account on person (account_uid) where account_uid is not null;
create index person_floor on person (client_uid, primary_floor_uid) where active;
create index person_visit on person (client_uid, visit_date) where kind = 'visitor' and active;

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
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person
);
create unique index peep_one_active on peep (client_uid, person_uid) where active;

create table warden_role (
  client_uid uuid not null references client,
  uid uuid not null default gen_random_uuid(),
  code text not null,
  name text not null,
  area_domain text not null check (area_domain in ('Site', 'Building', 'Floor', 'Area')),
  -- module flags without their 'Module_' prefix
  modules text[] not null default '{}' check (modules <@ array[
    'Floor_Evacuation', 'Evacuee_Safety', 'Floor_Evacuation_Status', 'Wardens_On_Duty', 'Warden_Messaging',
    'Event_Management', 'Floor_Warden_Status', 'Building_Evacuation_Status', 'My_Messages']),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
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
  primary key (client_uid, id),
  unique (client_uid, code)
);

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
  primary key (client_uid, uid),
  unique (client_uid, code),
  foreign key (client_uid, site_uid) references site,
  foreign key (client_uid, role_uid) references warden_role,
  foreign key (client_uid, person_uid) references person,
  check (num_nonnulls(url, storage_key) = 1),
  check (num_nonnulls(site_uid, role_uid, person_uid) >= 1)
);
