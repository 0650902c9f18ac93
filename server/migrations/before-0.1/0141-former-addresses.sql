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

alter table former_address enable row level security;
create policy own_clients on former_address to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on former_address to evac_system using (true) with check (true);
grant select on former_address to evac_app;
grant select, insert, update, delete on former_address to evac_system;
