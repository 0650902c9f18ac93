-- Records of one event are ordered by a clock that never runs backwards, whatever is done to the wall clock.

-- What the wall clock was set back by so far, and its latest jump forward. The servers notice a step by their own
-- monotonic clocks (platform/steady-clock.ts).
create table steady_clock (
  only_row boolean primary key default true check (only_row),
  ahead interval not null default '0',
  jumped_at timestamptz not null default '-infinity',
  jump interval not null default '0',
  version bigint not null default 0
);
insert into steady_clock default values;
grant select on steady_clock to evac_app;
grant select, update on steady_clock to evac_system;

create function steady_now() returns timestamptz language sql stable parallel safe set search_path = public, pg_temp
  as 'select now() + ahead from steady_clock';

-- Steady: these order records and are never shown. `started_at`, `created_at` and the journal keep wall time.
-- So are status_at, status_observed_at, text_status_at, place_seen_at and sight_at of evacuee, and received_at of inbound_text.
alter table event add column began_at timestamptz;
update event set began_at = started_at;
alter table event alter column began_at set not null, alter column began_at set default steady_now();
alter table message add column written_at timestamptz;
update message set written_at = created_at;
alter table message alter column written_at set not null, alter column written_at set default steady_now();
alter table inbound_text alter column received_at set default steady_now(), alter column next_try_at set default steady_now();
