-- Links of wall screens, which show the board of a site without a session.

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

alter table wall_link enable row level security;
create policy own_clients on wall_link to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on wall_link to evac_system using (true) with check (true);
grant select, insert, update (ended_at) on wall_link to evac_app;
grant select, insert, update (seen_at), delete on wall_link to evac_system;
