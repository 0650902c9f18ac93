-- What raises an alarm is a small part of the journal. A phone asks for it from the position where it was, which
-- may be an hour ago. The condition stands in alarms.queries.ts once more, word for word.
create index journal_alarm on journal (event_uid, xid)
  where action = 'evacuee_status_set' and after->>'status' = 'danger'
    or action = 'evacuee_refusal_set' and after->>'refused' = 'true'
    or action = 'floor_status_set';
