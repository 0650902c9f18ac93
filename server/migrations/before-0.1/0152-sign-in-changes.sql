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

alter table sign_in_change enable row level security;
create policy own_clients on sign_in_change to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on sign_in_change to evac_system using (true) with check (true);
grant select on sign_in_change to evac_app;
grant select, insert, update, delete on sign_in_change to evac_system;
