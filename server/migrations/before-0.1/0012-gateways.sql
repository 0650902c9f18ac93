-- Gateways to real phones: who took a text and what became of it, what people wrote back, and what a day may cost.

alter table sms
  -- the gateway that took it last, and by `provider_id` which of its handovers counts
  add column gateway text,
  -- what it was charged as; null: not yet
  add column segments integer;
create index sms_oldest_queued on sms (created_at) where status = 'queued';

-- One row for each piece that a provider took, under the name the provider gave it. A receipt may come before we know
-- that name, and then waits here; whichever of the two comes second finds the other.
create table sms_part (
  gateway text not null,
  provider_id text not null,
  sms_client_uid uuid,
  sms_uid uuid,
  -- pieces that were handed over together, and how many they are
  handover text,
  parts integer,
  state text check (state in ('delivered', 'failed')),
  reason text,
  noted_at timestamptz not null default now(),
  primary key (gateway, provider_id),
  foreign key (sms_client_uid, sms_uid) references sms
);
create index sms_part_sms on sms_part (sms_client_uid, sms_uid);
create index sms_part_age on sms_part using brin (noted_at);
grant select, insert, update, delete on sms_part to evac_system;

-- What people wrote back: kept first, then answered to the provider, then passed on. The key makes a repetition harmless.
create table inbound_text (
  gateway text not null,
  provider_id text not null,
  from_mobile text not null,
  body text not null,
  received_at timestamptz not null default now(),
  passed_on_at timestamptz,
  next_try_at timestamptz not null default now(),
  attempts integer not null default 0,
  primary key (gateway, provider_id)
);
create index inbound_text_waiting on inbound_text (next_try_at) where passed_on_at is null;
create index inbound_text_age on inbound_text using brin (received_at);
grant select, insert, update, delete on inbound_text to evac_system;

-- Segments sent of each pot on a day (UTC). A client's own limits; null: the server's.
alter table client
  add column sms_daily_links integer check (sms_daily_links >= 0),
  add column sms_daily_alerts integer check (sms_daily_alerts >= 0);
create table sms_spend (
  client_uid uuid not null references client,
  day date not null,
  pot text not null check (pot in ('links', 'alerts')),
  segments integer not null default 0,
  primary key (client_uid, day, pot)
);
grant select, insert, update on sms_spend to evac_app, evac_system;
alter table sms_spend enable row level security;
create policy own_clients on sms_spend to evac_app
  using (client_uid = any (string_to_array(nullif(current_setting('app.clients', true), ''), ',')::uuid[]));
create policy everything on sms_spend to evac_system using (true) with check (true);
