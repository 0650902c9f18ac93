-- Whether somebody has seen names of a record within the last hour, without reading its whole journal
create index journal_names_seen on journal (event_uid, actor_person_uid, recorded_at)
  where event_uid is not null and action = 'record_names_seen';
