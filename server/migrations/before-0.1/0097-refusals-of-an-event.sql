-- When somebody refused to leave is asked once a second while boards read, without reading all that may alarm
create index journal_refusal on journal (event_uid, subject_uid)
  where action = 'evacuee_refusal_set' and after->>'refused' = 'true';
