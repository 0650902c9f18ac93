-- Lists of the console filtered by a place: who has a floor there has the index person_floor.
create index person_visited on person (client_uid, visiting_building_uid)
  where active and visiting_building_uid is not null;
-- The audit log filtered by who, by kind and by person. Hot writes are in none of these indexes, as in journal_audit.
create index journal_audit_actor on journal (client_uid, actor_person_uid, position)
  where event_uid is null or action in ('event_started', 'event_ended');
create index journal_audit_action on journal (client_uid, action, position)
  where event_uid is null or action in ('event_started', 'event_ended');
create index journal_audit_subject on journal (client_uid, subject_uid, position)
  where event_uid is null or action in ('event_started', 'event_ended');
