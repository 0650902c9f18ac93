-- When the status of a floor was seen, in steady time, and by which phone's clock.

alter table event_floor
  add column observed_at timestamptz,
  add column observed_session_uid uuid,
  add column observed_phone_ms bigint;
