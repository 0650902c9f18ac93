-- The steps of a record's replay as JSON, gzip. It has counts and no persons, so it stays when they go. Null: the record is
-- older, or its journal does not say with how many people the event began.
alter table event_record add column replay bytea;
