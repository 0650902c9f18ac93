-- What the record counts of each entry of the journal, 32 bytes each, until the record is ready. Null: rows are read.
alter table log_tile add column facts bytea;
-- It is short-lived, so no time is spent on compressing it.
alter table log_tile alter column facts set storage external;
