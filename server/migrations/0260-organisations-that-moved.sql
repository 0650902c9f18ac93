-- Where an organisation has gone, as the address of that installation, and since when. It is suspended here, and people are sent there.
alter table client
  add column moved_to text,
  add column moved_at timestamptz,
  add constraint client_moved_check check ((moved_to is null) = (moved_at is null) and (moved_to is null or not active));
