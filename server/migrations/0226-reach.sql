-- One person who is to be reached about one thing, step by step until they answer.

alter table client
  -- how each class is reached, and limits. Null: as before there were steps
  add column reach jsonb;

alter table warden_role
  -- 'second': called at the start only if no one else answers
  add column called text not null default 'first' check (called in ('first', 'second'));

create table reach (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  class text not null check (class in ('report_in', 'instruction', 'command', 'offer', 'message', 'ask')),
  -- the participation, instruction, turn of command or offer, or the number of the message
  about text not null,
  person_uid uuid not null,
  -- of a warden. Null: an occupant
  sign_in_uid uuid,
  -- the seconds of the steps count from here. Steady time
  began_at timestamptz not null default steady_now(),
  -- the same moment by the clock of the rows that answer
  asked_at timestamptz not null default now(),
  -- how many steps have been taken
  step smallint not null default 0,
  next_at timestamptz not null,
  state text not null default 'going' check (state in ('going', 'answered', 'used_up', 'over')),
  reason text,
  -- what asks has itself queued the text of the first moment
  is_texted boolean not null default false,
  -- waits until no one else has answered
  is_second boolean not null default false,
  -- ways that failed, and that have brought the next step forward
  failed smallint not null default 0,
  again_at timestamptz,
  answered_at timestamptz,
  answered_by_person_uid uuid,
  primary key (client_uid, uid),
  unique (client_uid, event_uid, class, about, person_uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, person_uid) references person,
  foreign key (client_uid, sign_in_uid) references warden_sign_in,
  check ((state = 'over') = (reason is not null))
);
create index reach_due on reach (next_at) where state = 'going';
create index reach_open on reach (client_uid, event_uid) where state in ('going', 'used_up');
create index reach_person on reach (client_uid, person_uid);
create index reach_sign_in on reach (client_uid, sign_in_uid) where sign_in_uid is not null;

-- Calls and alerts of a reach, and the ways that could not be tried. Texts stand in sms, because an older worker sends what is there.
create table ring (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  reach_uid uuid not null,
  way text not null check (way in ('push', 'text', 'call', 'second_text', 'second_call', 'mail')),
  status text not null check (status in ('skipped')),
  reason text,
  created_at timestamptz not null default now(),
  primary key (client_uid, uid),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, reach_uid) references reach on delete cascade
);
create index ring_reach on ring (client_uid, reach_uid);
create index ring_event on ring (client_uid, event_uid);

alter table sms add column reach_uid uuid;
create index sms_reach on sms (client_uid, reach_uid) where reach_uid is not null;

alter table mail add column reach_uid uuid;
create index mail_reach on mail (reach_uid) where reach_uid is not null;
alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check check (kind in ('password_reset', 'password_changed', 'invitation', 'notice',
  'offer', 'record', 'action', 'coverage', 'reach'));

-- who of a person's roles has reported in
create index warden_sign_in_person on warden_sign_in (client_uid, event_uid, person_uid);

grant select, insert, update on reach to evac_app;
grant select on ring to evac_app;
grant select, insert, update, delete on reach, ring to evac_system;

alter table reach enable row level security;
create policy own_clients on reach to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on reach to evac_system using (true) with check (true);
alter table ring enable row level security;
create policy own_clients on ring to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on ring to evac_system using (true) with check (true);
