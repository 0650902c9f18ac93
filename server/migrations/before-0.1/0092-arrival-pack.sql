-- Hazards, and the page for the fire service.

-- whether the fire service reads what help a person needs. null: as the organisation says
alter table peep add column fire_service boolean;
alter table client add column share_plans text not null default 'unless no' check (share_plans in ('unless no', 'only yes'));

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
  primary key (client_uid, pack_uid, reader_hash),
  foreign key (client_uid, pack_uid) references arrival_pack on delete cascade
);

alter table hazard enable row level security;
create policy own_clients on hazard to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on hazard to evac_system using (true) with check (true);
grant select, insert, update (over_at, over_by_sign_in_uid) on hazard to evac_app;
grant select, insert, update (words), delete on hazard to evac_system;

alter table arrival_pack enable row level security;
create policy own_clients on arrival_pack to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on arrival_pack to evac_system using (true) with check (true);
grant select, insert, update (ended_at) on arrival_pack to evac_app;
grant select, insert, delete on arrival_pack to evac_system;

alter table arrival_pack_reader enable row level security;
create policy own_clients on arrival_pack_reader to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on arrival_pack_reader to evac_system using (true) with check (true);
grant select, insert, update (last_at, times) on arrival_pack_reader to evac_app;
grant select, insert, update (name, network, agent), delete on arrival_pack_reader to evac_system;
