-- What is kept no longer than its operator says. Of an event that runs nothing is ever taken away.
grant delete on event, event_building, event_floor, warden_sign_in, evacuee, tally, report_in_link, message, sms, broadcast,
  sign_in_log, journal, peep to evac_system;
create index journal_age on journal using brin (recorded_at);
