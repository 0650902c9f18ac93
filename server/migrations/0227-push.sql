-- Phones on which their person has turned on alerts. An alert has no content: the push service reads nothing.
create table push_phone (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  person_uid uuid not null,
  endpoint text not null check (length(endpoint) <= 1000),
  -- of one browser: who turns alerts on there last has it
  endpoint_hash bytea not null unique,
  made_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (client_uid, uid),
  foreign key (client_uid, person_uid) references person
);
create index push_phone_person on push_phone (client_uid, person_uid);

alter table ring
  add column phone_uid uuid,
  add column changed_at timestamptz not null default now(),
  -- as in sms: an alert belongs to one worker until its lease ends
  add column claimed_until timestamptz,
  add column attempts integer not null default 0,
  add column valid_until timestamptz;
alter table ring drop constraint ring_status_check;
alter table ring add constraint ring_status_check check (status in ('queued', 'handed_over', 'failed', 'expired', 'skipped'));
create index ring_due on ring (created_at) where status = 'queued';

grant select on push_phone to evac_app;
grant select, insert, update, delete on push_phone to evac_system;
alter table push_phone enable row level security;
create policy own_clients on push_phone to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on push_phone to evac_system using (true) with check (true);
