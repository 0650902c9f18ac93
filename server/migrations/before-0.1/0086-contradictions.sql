-- What was seen of a person before the event began, two records of a person that cannot both be complete,
-- and contradictions that somebody keeps as they are.

alter table evacuee
  -- steady time at which a record saw the person before the event began. Null once a record counts.
  add column seen_before_at timestamptz,
  add column dispute text check (dispute in ('own_safe', 'own_lifted', 'late_safe', 'two_places')),
  -- steady time at which the record was seen that does not stand. That of the other is status_observed_at.
  add column dispute_at timestamptz;
create index evacuee_dispute on evacuee (client_uid, event_uid) where dispute is not null;

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

alter table contradiction_kept enable row level security;
create policy own_clients on contradiction_kept to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on contradiction_kept to evac_system using (true) with check (true);
grant select, insert, update on contradiction_kept to evac_app;
grant select, insert, update, delete on contradiction_kept to evac_system;
