-- The latest sight of somebody, by the session that reported it and that phone's own clock. What one phone saw later is
-- never older than what it saw before, however long the first report was on its way.
alter table evacuee
  add column sight_at timestamptz,
  add column sight_session_uid uuid,
  add column sight_phone_ms bigint;
