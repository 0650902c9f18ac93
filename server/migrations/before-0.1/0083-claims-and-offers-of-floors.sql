-- Floors without a warden: who took one, and who was asked to.

-- A floor, or with floor_uid null a whole building that no assignment names a floor of. A claim stands while its
-- sign-in is on duty: one of somebody off duty is ended by the next claimant's statement.
create table floor_claim (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  building_uid uuid not null,
  floor_uid uuid,
  place_uid uuid not null generated always as (coalesce(floor_uid, building_uid)) stored,
  sign_in_uid uuid not null,
  claimed_at timestamptz not null default now(),
  ended_at timestamptz,
  end_reason text check (end_reason in ('given_back', 'left')),
  primary key (client_uid, uid),
  check ((ended_at is null) = (end_reason is null)),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, building_uid) references building,
  foreign key (client_uid, floor_uid) references floor,
  foreign key (client_uid, sign_in_uid) references warden_sign_in
);
-- of two wardens at once, one has the floor
create unique index floor_claim_one on floor_claim (client_uid, event_uid, place_uid) where ended_at is null;
create index floor_claim_event on floor_claim (client_uid, event_uid);
create index floor_claim_sign_in on floor_claim (client_uid, sign_in_uid);

-- A lapsed offer is closed by the next one of its floor.
create table floor_offer (
  client_uid uuid not null,
  uid uuid not null default gen_random_uuid(),
  event_uid uuid not null,
  building_uid uuid not null,
  floor_uid uuid,
  place_uid uuid not null generated always as (coalesce(floor_uid, building_uid)) stored,
  to_sign_in_uid uuid not null,
  by_sign_in_uid uuid not null,
  offered_at timestamptz not null default now(),
  ends_at timestamptz not null,
  answered_at timestamptz,
  answer text check (answer in ('yes', 'no', 'taken', 'lapsed')),
  primary key (client_uid, uid),
  check ((answered_at is null) = (answer is null)),
  foreign key (client_uid, event_uid) references event,
  foreign key (client_uid, building_uid) references building,
  foreign key (client_uid, floor_uid) references floor,
  foreign key (client_uid, to_sign_in_uid) references warden_sign_in,
  foreign key (client_uid, by_sign_in_uid) references warden_sign_in
);
create unique index floor_offer_one on floor_offer (client_uid, event_uid, place_uid) where answered_at is null;
create index floor_offer_event on floor_offer (client_uid, event_uid);
create index floor_offer_to on floor_offer (client_uid, to_sign_in_uid);
create index floor_offer_by on floor_offer (client_uid, by_sign_in_uid);

alter table floor_claim enable row level security;
create policy own_clients on floor_claim to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on floor_claim to evac_system using (true) with check (true);
alter table floor_offer enable row level security;
create policy own_clients on floor_offer to evac_app
  using (client_uid = any ((select string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[])::uuid[]));
create policy everything on floor_offer to evac_system using (true) with check (true);
grant select, insert, update on floor_claim, floor_offer to evac_app, evac_system;
grant delete on floor_claim, floor_offer to evac_system;
