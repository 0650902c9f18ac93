-- Calls for help beyond the limit that the log has, so that a record counts each once. A node of the version before notes none:
-- its calls are counted from the row.

alter table self_report_more add column told int not null default 0;
grant update (told) on self_report_more to evac_app;
