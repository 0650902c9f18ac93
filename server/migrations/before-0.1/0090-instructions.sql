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

alter table instruction enable row level security;
create policy own_clients on instruction to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on instruction to evac_system using (true) with check (true);
grant select, insert, update on instruction to evac_app;
grant select, insert, update, delete on instruction to evac_system;

alter table instruction_answer enable row level security;
create policy own_clients on instruction_answer to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on instruction_answer to evac_system using (true) with check (true);
grant select, insert, update on instruction_answer to evac_app;
grant select, insert, update, delete on instruction_answer to evac_system;
