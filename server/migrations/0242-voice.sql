-- Calls that ring, and the keys that are pressed in them.

alter table ring
  add column to_mobile text,
  -- what the voice says
  add column say text,
  -- as claimed_until, for calls. That of a call is infinite: a worker of the version before takes each queued row for an alert
  add column lease_until timestamptz,
  -- when a worker began it, which is when it was paid
  add column called_at timestamptz,
  add column picked_up_at timestamptz,
  add column gateway text,
  add column provider_id text,
  add column digit text check (digit ~ '^[0-9*#]$');
alter table ring drop constraint ring_status_check;
alter table ring add constraint ring_status_check
  check (status in ('queued', 'handed_over', 'delivered', 'failed', 'expired', 'skipped'));
-- one call at a time and three an hour
create index ring_number on ring (to_mobile, called_at) where to_mobile is not null;
create index ring_ringing on ring (changed_at) where status = 'handed_over' and to_mobile is not null;

-- the organisation's own limit. Null: the server's
alter table client add column daily_calls integer check (daily_calls >= 0);
alter table sms_spend drop constraint sms_spend_pot_check;
alter table sms_spend add constraint sms_spend_pot_check check (pot in ('sign_in_links', 'links', 'alerts', 'calls'));

-- the own word that stands in text_status_at was a key in a call
alter table evacuee add column own_call boolean not null default false;
