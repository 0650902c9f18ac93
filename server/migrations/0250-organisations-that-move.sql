-- The host of the installation that an organisation came from, whole. Null: it was made here.
alter table client add column moved_from text;

-- An event and its participations name each other. Of an organisation that comes whole both are there when its transaction ends.
alter table event
  alter constraint event_client_uid_started_by_sign_in_uid_fkey deferrable,
  alter constraint event_client_uid_ended_by_sign_in_uid_fkey deferrable;
