-- The organisation's addresses to which log heads are mailed, one on each line.
alter table client add column log_head_addresses text not null default '';

-- When the head of the start and that of the closing were mailed, or found to have no address. Of what was there before: now.
alter table record_log
  add column start_mailed_at timestamptz default now(),
  add column closing_mailed_at timestamptz default now();
alter table record_log
  alter column start_mailed_at drop default,
  alter column closing_mailed_at drop default;
update record_log l set closing_mailed_at = null
from event e where (e.client_uid, e.uid) = (l.client_uid, l.event_uid) and e.ended_at is null;
create index record_log_start_to_mail on record_log (client_uid, event_uid) where start_mailed_at is null;
create index record_log_closing_to_mail on record_log (client_uid, event_uid) where closing_mailed_at is null;
