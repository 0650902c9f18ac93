-- What people say of themselves, by a personal link or by the poster of a site.

-- steady time of the status that their own page set, as text_status_at for texts. It is the status's as long as both are equal
alter table evacuee add column self_status_at timestamptz;

create table self_report (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  way text not null check (way in ('link', 'poster')),
  status text not null check (status in ('safe', 'help')),
  -- of a personal link its person, else who was recorded from it
  evacuee_uid uuid,
  said_name text check (length(said_name) between 1 and 100),
  -- digits with country code if it can be read as a mobile number, else as it was written
  said_mobile text check (length(said_mobile) between 1 and 30),
  building_uid uuid,
  floor_uid uuid,
  words text check (length(words) between 1 and 202),
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

alter table self_report enable row level security;
create policy own_clients on self_report to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on self_report to evac_system using (true) with check (true);
grant select, insert, update (state, evacuee_uid, by_sign_in_uid, handled_at, who) on self_report to evac_app;
grant select, insert, update, delete on self_report to evac_system;

alter table self_report_page enable row level security;
create policy own_clients on self_report_page to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on self_report_page to evac_system using (true) with check (true);
grant select, insert, update (code, open, since) on self_report_page to evac_app;
grant select, insert, update, delete on self_report_page to evac_system;

alter table self_link enable row level security;
create policy own_clients on self_link to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on self_link to evac_system using (true) with check (true);
grant select, insert, update (uid, token_hash, made_at, revoked_at) on self_link to evac_app;
grant select, insert, update, delete on self_link to evac_system;
