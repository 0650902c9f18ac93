-- By which assignment or grant an export was asked for. Its file is of that reach, and opens while that stands.
alter table record_export add column assignment_uid uuid, add column administrator_uid uuid;
-- nobody can tell of earlier ones: they end now instead of within their day
update record_export set expires_at = now();
-- the same export is asked for by the same assignment or grant with the same reach
drop index record_export_making;
create unique index record_export_making
  on record_export (client_uid, event_uid, person_uid, assignment_uid, administrator_uid, format, names, md5(reach::text))
  nulls not distinct where state = 'making';
