-- An organisation's own retention, consent and review of plans, and what the console reads.

-- Null: the installation's days (RETAIN_…_DAYS).
alter table client
  add column retain_messages_days integer check (retain_messages_days >= 30),
  add column retain_events_days integer check (retain_events_days >= 365),
  add column retain_audit_days integer check (retain_audit_days >= 365),
  add column retain_peeps_days integer check (retain_peeps_days >= 1);

-- Null: not recorded, as for every imported plan of before.
alter table peep
  add column consent text check (consent in ('person', 'guardian')),
  add column consent_on date,
  add column review_on date;

-- Size of the stored file. Null: a link, or a file imported before this was counted.
alter table document add column bytes bigint;

-- A template is named by this in the console. The table is small: at most 500 rows of an organisation.
alter table message_template add column uid uuid not null default gen_random_uuid();
create unique index message_template_uid on message_template (client_uid, uid);

-- The audit log reads what happens outside events, with their starts and ends. Hot writes are in neither index.
create index journal_audit on journal (client_uid, position)
  where event_uid is null or action in ('event_started', 'event_ended');
create index journal_plan on journal (client_uid, subject_uid, position) where action in ('plan_viewed', 'plan_changed');
