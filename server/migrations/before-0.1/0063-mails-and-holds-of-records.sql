-- Mails about records. Holds, and when a record was reduced.

alter table mail drop constraint mail_kind_check;
alter table mail add constraint mail_kind_check
  check (kind in ('password_reset', 'password_changed', 'invitation', 'notice', 'offer', 'record', 'action'));
-- What the mail says, for mails that are sent once whoever makes them: '{action} given', '{action} due'
alter table mail add column once_key text;
create unique index mail_once on mail (once_key) where once_key is not null;

-- mailed_at: when the closing mail was queued. held: nothing of the event is deleted.
alter table event_record add column mailed_at timestamptz,
  add column reduced_at timestamptz,
  add column held boolean not null default false;
-- The records that are there were read without a mail.
update event_record set mailed_at = now() where state in ('ready', 'reduced');
-- the night of its reduction was not noted
update event_record set reduced_at = now() where state = 'reduced';
create index event_record_unmailed on event_record (ended_at) where state = 'ready' and mailed_at is null;
create index event_record_held on event_record (client_uid, event_uid) where held;
grant update (held) on event_record to evac_app;

alter table record_entry drop constraint record_entry_kind_check;
alter table record_entry add constraint record_entry_kind_check
  check (kind in ('fact', 'outcome', 'observation', 'checklist', 'action', 'action_step', 'correction', 'sign_off',
    'names_reason', 'hold'));
create index record_entry_action_given on record_entry (recorded_at) where kind = 'action';
create index record_entry_action_due on record_entry ((body ->> 'due')) where kind = 'action';
