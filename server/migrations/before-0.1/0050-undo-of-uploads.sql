-- Undo of uploads, and acts on ticked people as uploads of their own kind.

alter table upload drop constraint upload_state_check;
alter table upload add constraint upload_state_check check
  (state in ('open', 'checking', 'checked', 'applying', 'applied', 'undoing', 'undone', 'failed', 'dropped'));
alter table upload
  -- what it is of: tables, or an act on ticked people
  add column kind text not null default 'tables'
    check (kind in ('tables', 'move', 'deactivate', 'add_to_group', 'take_out_of_group', 'invite')),
  -- its rows can be found again. Not those of the version before
  add column has_keys boolean not null default false,
  -- the grant of who undoes it
  add column undoing_administrator_uid uuid,
  add column undone_by_person_uid uuid,
  add column undone_at timestamptz,
  add foreign key (client_uid, undoing_administrator_uid) references administrator,
  add foreign key (client_uid, undone_by_person_uid) references person;
-- Never two at once.
drop index upload_at_work;
create unique index upload_at_work on upload (client_uid) where state in ('applying', 'undoing');
drop index upload_due;
create index upload_due on upload (created_at) where state in ('checking', 'applying', 'undoing');
create index upload_applied on upload (client_uid, applied_at) where state = 'applied';

-- The uid of the stored row; null for a new one, which its cells name. Of plans and sign-in names the code of the person.
alter table upload_change add column key text;

-- The upload that has made, or ended, a plan: its text stands here alone.
alter table peep
  add column made_by_upload_uid uuid,
  add column ended_by_upload_uid uuid,
  add foreign key (client_uid, made_by_upload_uid) references upload,
  add foreign key (client_uid, ended_by_upload_uid) references upload;
create index peep_of_upload on peep (client_uid, ended_by_upload_uid, person_uid) where ended_by_upload_uid is not null;

-- The upload whose end waits.
alter table waiting_change
  add column upload_uid uuid,
  add foreign key (client_uid, upload_uid) references upload;
create index waiting_change_of_upload on waiting_change (client_uid, upload_uid) where upload_uid is not null;
