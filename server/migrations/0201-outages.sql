-- When a worker last marked the log of a running event, each ten seconds. A mark that is too old is an outage of the server.
-- A log of the version before is marked from here on.
alter table record_log add column marked_at timestamptz not null default now();
